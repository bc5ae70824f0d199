#include "xiangqi/pack.hpp"

#include "xiangqi/fen.hpp"

namespace tabia::xiangqi {
namespace {

constexpr int BLACK_KING = piece_code(BLACK, KING);
constexpr int BLACK_KING_TO_MOVE = 15;

int nibble(const std::uint8_t* packed, int square) {
    return packed[square / 2] >> (4 * (square & 1)) & 15;
}

}  // namespace

void pack(const Position& p, std::uint8_t* out) {
    for (int i = 0; i < PACKED_SIZE; ++i)
        out[i] = static_cast<std::uint8_t>(p.board[2 * i] | p.board[2 * i + 1] << 4);
    if (p.side == BLACK) {
        const int king = p.king(BLACK);
        // From 8 to 15: the three lower bits of the nibble.
        out[king / 2] |= static_cast<std::uint8_t>(7 << 4 * (king & 1));
    }
}

std::string unpack(const std::uint8_t* packed, Position& out) {
    Position p;
    for (int square = 0; square < SQUARES; ++square) {
        const int value = nibble(packed, square);
        if (!value) continue;
        if (value == BLACK_KING_TO_MOVE) p.side = BLACK;
        p.put(square, value == BLACK_KING_TO_MOVE ? BLACK_KING : value);
    }
    std::string fault = position_fault(p);
    if (!fault.empty()) return fault;
    p.key = p.computed_key();
    out = p;
    return {};
}

void piece_codes(const std::uint8_t* packed, std::uint8_t* out) {
    for (int square = 0; square < SQUARES; ++square) {
        const int value = nibble(packed, square);
        out[square] = static_cast<std::uint8_t>(value == BLACK_KING_TO_MOVE ? BLACK_KING : value);
    }
}

}  // namespace tabia::xiangqi
