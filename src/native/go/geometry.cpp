#include "go/geometry.hpp"

#include <array>

namespace tabia::go {
namespace {

using Tables = std::array<Geometry, MAX_SIZE + 1>;

Tables make_tables() {
    Tables tables{};
    for (int size = MIN_SIZE; size <= MAX_SIZE; ++size) {
        Geometry& g = tables[size];
        g.size = size;
        g.stride = size + 1;
        g.n_cells = g.stride * (size + 2) + 1;
        g.n_points = size * size;
        for (Move& code : g.code_of) code = NO_MOVE;
        int i = 0;
        for (int row = 0; row < size; ++row)
            for (int column = 0; column < size; ++column, ++i) {
                const int cell = g.stride * (row + 1) + column + 1;
                const Move code = make_move(row, column);
                g.cells[i] = g.cell_of[code] = static_cast<std::uint16_t>(cell);
                g.code_of[cell] = code;
                g.stone_key[BLACK][cell] = ZOBRIST.stone[0][code];
                g.stone_key[WHITE][cell] = ZOBRIST.stone[1][code];
            }
    }
    return tables;
}

}  // namespace

const Geometry& geometry(int size) {
    static const Tables tables = make_tables();
    return tables[size];
}

}  // namespace tabia::go
