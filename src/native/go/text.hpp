// A Go position as text: rows, side to move, ko, passes, prisoners.
//
//   9/9/2X6/9/9/9/6O2/9/9 b - 0 0 0
//
// Rows from the top, `X` a black stone, `O` a white one, a number so many empty points; there are as
// many rows as columns, so the text says the size. Then: b or w to move; the vertex where a ko
// forbids to play, as in GTP (`D4`), or -; passes in a row just before; stones that Black has taken;
// stones that White has taken. Fields missing at the end are b - 0 0 0. Komi and rules belong to the
// game, and what happened before is not told.
#pragma once

#include <string>
#include <string_view>

#include "go/board.hpp"

namespace tabia::go {

// Reads `text`. Returns an empty string, or what is wrong and where.
std::string parse_text(std::string_view text, Board& board, int& passes);

std::string write_text(const Board& board, int passes);

// Says which chain has no liberty, or that the ko is none, or an empty string.
std::string board_fault(const Board& board);

// GTP's name of a point on a board of that size: letters without I from the left, rows from below.
std::string write_vertex(Move move, int size);

// Code of a vertex (`D4`, `pass`, either case), NO_MOVE if it is none on that board.
Move read_vertex(std::string_view text, int size);

}  // namespace tabia::go
