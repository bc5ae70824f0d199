#include "chess/pack.hpp"

#include "chess/fen.hpp"

namespace tabia::chess {
namespace {

constexpr int EN_PASSANT_PAWN = 13;
constexpr int CASTLING_ROOK = 14;
constexpr int BLACK_KING_TO_MOVE = 15;
constexpr int BLACK_KING = 12;

int nibble(const std::uint8_t* packed, int square) {
    return packed[square / 2] >> (4 * (square & 1)) & 15;
}

int plain_code(int value, int square) {
    switch (value) {
        case EN_PASSANT_PAWN: return piece_code(rank_of(square) >= 4, PAWN);
        case CASTLING_ROOK: return piece_code(rank_of(square) >= 4, ROOK);
        case BLACK_KING_TO_MOVE: return BLACK_KING;
        default: return value;
    }
}

std::string square_name(int square) {
    return {static_cast<char>('a' + file_of(square)), static_cast<char>('1' + rank_of(square))};
}

}  // namespace

void pack(const Position& p, std::uint8_t* out) {
    for (int i = 0; i < PACKED_SIZE; ++i)
        out[i] = static_cast<std::uint8_t>(p.board[2 * i] | p.board[2 * i + 1] << 4);
    const auto set = [out](int square, int value) {
        const int shift = 4 * (square & 1);
        out[square / 2] =
            static_cast<std::uint8_t>((out[square / 2] & ~(15 << shift)) | value << shift);
    };
    for (Bitboard b = p.castling; b;) set(pop_lowest(b), CASTLING_ROOK);
    if (p.ep != NO_SQUARE) set(p.ep ^ 8, EN_PASSANT_PAWN);
    if (p.side == BLACK) set(p.king(BLACK), BLACK_KING_TO_MOVE);
}

std::string unpack(const std::uint8_t* packed, Position& out) {
    Position p;
    int target = NO_SQUARE;
    for (int square = 0; square < 64; ++square) {
        const int value = nibble(packed, square);
        if (!value) continue;
        p.put(square, plain_code(value, square));
        if (value == CASTLING_ROOK) {
            if (!(bit(square) & (RANK_1 | RANK_8)))
                return "a rook that may castle stands on " + square_name(square);
            p.castling |= bit(square);
        } else if (value == EN_PASSANT_PAWN) {
            if (target != NO_SQUARE || (rank_of(square) != 3 && rank_of(square) != 4))
                return "the pawn on " + square_name(square) + " cannot be taken en passant";
            target = square ^ 8;
        } else if (value == BLACK_KING_TO_MOVE) {
            p.side = BLACK;
        }
    }
    std::string fault = position_fault(p);
    if (!fault.empty()) return fault;
    for (const int color : {WHITE, BLACK}) {
        const Bitboard home = color == WHITE ? RANK_1 : RANK_8;
        const Bitboard rights = p.castling & home;
        if (!rights) continue;
        const Bitboard below = bit(p.king(color)) - 1;
        if (!(p.pieces(color, KING) & home) || more_than_one(rights & below) ||
            more_than_one(rights & ~below))
            return "castling rights without their king";
    }
    p.key = p.computed_key();
    if (target != NO_SQUARE) {
        const int behind = p.side == WHITE ? target + 8 : target - 8;
        if (rank_of(target) == (p.side == WHITE ? 5 : 2) && !p.board[target] && !p.board[behind])
            p.set_en_passant(target);
        if (p.ep == NO_SQUARE)
            return "the pawn on " + square_name(target ^ 8) + " cannot be taken en passant";
    }
    out = p;
    return {};
}

void piece_codes(const std::uint8_t* packed, std::uint8_t* out) {
    for (int square = 0; square < 64; ++square)
        out[square] = static_cast<std::uint8_t>(plain_code(nibble(packed, square), square));
}

}  // namespace tabia::chess
