#include "go/pack.hpp"

#include <cstring>

#include "go/text.hpp"

namespace tabia::go {
namespace {

constexpr int STONES_AT = 4;

}  // namespace

void pack(const Board& board, int passes, std::uint8_t* out) {
    const Geometry& g = board.geometry();
    std::memset(out, 0, PACKED_SIZE);
    out[0] = static_cast<std::uint8_t>(g.size);
    out[1] = static_cast<std::uint8_t>((board.to_move() == WHITE) | passes << 1);
    const Move ko = g.code_of[board.ko()];
    out[2] = static_cast<std::uint8_t>(ko);
    out[3] = static_cast<std::uint8_t>(ko >> 8);
    for (int i = 0; i < g.n_points; ++i) {
        const Move code = g.code_of[g.cells[i]];
        out[STONES_AT + code / 4] |=
            static_cast<std::uint8_t>(board.color(g.cells[i]) << (2 * (code % 4)));
    }
}

std::string unpack(const std::uint8_t* packed, Board& board, int& passes) {
    const int size = packed[0];
    if (size < MIN_SIZE || size > MAX_SIZE)
        return "size " + std::to_string(size) + " is not 5 to 19";
    passes = packed[1] >> 1;
    if (passes > 2) return "byte 1 has no such passes";
    board = Board(size);
    const Geometry& g = board.geometry();
    board.set_to_move(packed[1] & 1 ? WHITE : BLACK);
    for (Move code = 0; code < PASS; ++code) {
        const int color = packed[STONES_AT + code / 4] >> (2 * (code % 4)) & 3;
        if (color == EMPTY) continue;
        if (color == BORDER || !is_point(code, size))
            return "code " + std::to_string(code) + " cannot hold " + std::to_string(color);
        board.put(g.cell_of[code], static_cast<std::uint8_t>(color));
    }
    if (packed[STONES_AT + PASS / 4] >> 2 || packed[PACKED_SIZE - 1])
        return "the last bits are not 0";
    const auto ko = static_cast<Move>(packed[2] | packed[3] << 8);
    if (ko != NO_MOVE) {
        if (!is_point(ko, size)) return "ko " + std::to_string(ko) + " is no point";
        if (passes) return "a ko cannot stand after a pass";
        board.set_ko(g.cell_of[ko]);
    }
    return board_fault(board);
}

}  // namespace tabia::go
