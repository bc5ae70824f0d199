#include "xiangqi/position.hpp"

#include <initializer_list>

#include "xiangqi/zobrist.hpp"

namespace tabia::xiangqi {
namespace {

Position make_start() {
    constexpr PieceType BACK[FILES] = {ROOK, HORSE, ELEPHANT, ADVISOR, KING,
                                       ADVISOR, ELEPHANT, HORSE, ROOK};
    Position p;
    const auto put_both = [&p](int file, int rank, int type) {
        p.put(square_at(file, rank), piece_code(RED, type));
        p.put(square_at(file, RANKS - 1 - rank), piece_code(BLACK, type));
    };
    for (int file = 0; file < FILES; ++file) put_both(file, 0, BACK[file]);
    for (const int file : {1, 7}) put_both(file, 2, CANNON);
    for (int file = 0; file < FILES; file += 2) put_both(file, 3, PAWN);
    p.key = p.computed_key();
    return p;
}

}  // namespace

const Position START = make_start();

void Position::put(int square, int code) {
    const Bitboard b = bit(square);
    by_type[0] |= b;
    by_type[type_of(code)] |= b;
    by_color[color_of(code)] |= b;
    board[square] = static_cast<std::uint8_t>(code);
    key ^= ZOBRIST.piece[code][square];
}

void Position::remove(int square) {
    const int code = board[square];
    const Bitboard b = ~bit(square);
    by_type[0] &= b;
    by_type[type_of(code)] &= b;
    by_color[color_of(code)] &= b;
    board[square] = 0;
    key ^= ZOBRIST.piece[code][square];
}

Undo Position::play(Move move) {
    const int from = from_of(move), to = to_of(move);
    const int code = board[from];
    const Undo last{halfmove, move, board[to]};
    ++halfmove;
    if (last.captured) {
        remove(to);
        halfmove = 0;
    }
    const Bitboard both = bit(from) | bit(to);
    by_type[0] ^= both;
    by_type[type_of(code)] ^= both;
    by_color[side] ^= both;
    board[from] = 0;
    board[to] = static_cast<std::uint8_t>(code);
    key ^= ZOBRIST.piece[code][from] ^ ZOBRIST.piece[code][to] ^ ZOBRIST.black_to_move;
    fullmove += side;
    side ^= 1;
    return last;
}

void Position::undo(const Undo& last) {
    const int from = from_of(last.move), to = to_of(last.move);
    const int code = board[to];
    side ^= 1;
    fullmove -= side;
    halfmove = last.halfmove;
    const Bitboard both = bit(from) | bit(to);
    by_type[0] ^= both;
    by_type[type_of(code)] ^= both;
    by_color[side] ^= both;
    board[from] = static_cast<std::uint8_t>(code);
    board[to] = 0;
    key ^= ZOBRIST.piece[code][from] ^ ZOBRIST.piece[code][to] ^ ZOBRIST.black_to_move;
    if (last.captured) put(to, last.captured);
}

std::uint64_t Position::computed_key() const {
    std::uint64_t k = side == BLACK ? ZOBRIST.black_to_move : 0;
    for (int square = 0; square < SQUARES; ++square) k ^= ZOBRIST.piece[board[square]][square];
    return k;
}

Position Position::mirrored() const {
    Position p;
    for (int square = 0; square < SQUARES; ++square)
        if (board[square]) p.put(mirror_square(square), board[square]);
    p.side = side;
    p.halfmove = halfmove;
    p.fullmove = fullmove;
    p.key = p.computed_key();
    return p;
}

Position Position::flipped() const {
    Position p;
    for (int square = 0; square < SQUARES; ++square) {
        const int code = board[square];
        if (code) p.put(flip_square(square), piece_code(color_of(code) ^ 1, type_of(code)));
    }
    p.side = side ^ 1;
    p.halfmove = halfmove;
    p.fullmove = fullmove;
    p.key = p.computed_key();
    return p;
}

}  // namespace tabia::xiangqi
