// Points of a Go board: move codes, and the cells in which the native board keeps them.
//
// A code is 19 * row + column whatever the size, row 0 on top and column 0 at left as in SGF (`aa`
// is 0); a pass is 361. Cells lie in rows of size + 1, one border cell between two rows and a row of
// border above and below, so that the four neighbours of every point are cells: c - 1, c + 1,
// c - stride, c + stride.
#pragma once

#include <cstdint>

namespace tabia::go {

using Move = std::uint16_t;

constexpr int MIN_SIZE = 5;
constexpr int MAX_SIZE = 19;
constexpr int MAX_POINTS = MAX_SIZE * MAX_SIZE;
constexpr int MAX_CELLS = (MAX_SIZE + 1) * (MAX_SIZE + 2) + 1;

constexpr Move PASS = MAX_POINTS;
constexpr int MOVE_CODES = MAX_POINTS + 1;
// Not a move. Written for "no next move".
constexpr Move NO_MOVE = 0xFFFF;

enum Color : std::uint8_t { EMPTY = 0, BLACK = 1, WHITE = 2, BORDER = 3 };
constexpr std::uint8_t opponent(std::uint8_t color) { return 3 - color; }

constexpr Move make_move(int row, int column) {
    return static_cast<Move>(MAX_SIZE * row + column);
}
constexpr int row_of(Move move) { return move / MAX_SIZE; }
constexpr int column_of(Move move) { return move % MAX_SIZE; }
// Whether the code is a point of a board of that size.
constexpr bool is_point(Move move, int size) {
    return move < PASS && row_of(move) < size && column_of(move) < size;
}

// What depends on the size alone; one table a size, made when the program starts.
struct Geometry {
    int size, stride, n_cells, n_points;
    std::uint16_t cells[MAX_POINTS];        // cell of the i-th point, rows first
    std::uint16_t cell_of[MOVE_CODES];      // of a code; 0, a border cell, where there is none
    Move code_of[MAX_CELLS];                // NO_MOVE for border cells
    std::uint64_t stone_key[3][MAX_CELLS];  // Zobrist keys by color and cell
};

// The table of a size from MIN_SIZE to MAX_SIZE.
const Geometry& geometry(int size);

// Zobrist keys: 64-bit identifiers of a position. They are written to tables and compared between
// runs and machines, so the constants are part of the file format: splitmix64 (Steele, Lea & Flood
// 2014) from a fixed seed, drawn in the order of the fields. A test holds some keys.
struct Zobrist {
    std::uint64_t stone[2][MAX_POINTS];  // [BLACK - 1 or WHITE - 1][code]
    std::uint64_t ko[MAX_POINTS];        // the point that a ko forbids
    std::uint64_t size[MAX_SIZE + 1];
    std::uint64_t passes[3];  // [0] is zero
    std::uint64_t white_to_move;

    constexpr Zobrist() : stone{}, ko{}, size{}, passes{}, white_to_move{} {
        std::uint64_t state = 0x676F626F61726431ULL;  // "goboard1"
        const auto draw = [&state] {
            std::uint64_t z = state += 0x9E3779B97F4A7C15ULL;
            z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
            z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
            return z ^ (z >> 31);
        };
        for (auto& color : stone)
            for (auto& key : color) key = draw();
        for (auto& key : ko) key = draw();
        for (auto& key : size) key = draw();
        passes[1] = draw();
        passes[2] = draw();
        white_to_move = draw();
    }
};

inline constexpr Zobrist ZOBRIST;

}  // namespace tabia::go
