// A position in 96 bytes:
//
//   0        size
//   1        bit 0: White to move; bits 1 and 2: passes in a row, 0 to 2
//   2, 3     code of the point that a ko forbids, low byte first; 0xFFFF if there is none
//   4 .. 94  the 361 codes' points, two bits each, low bits first: 0 empty, 1 black, 2 white; points
//            off the board are 0
//   95       0
//
// Each position without history and prisoners has exactly one packing, so positions are equal if and
// only if their bytes are. The layout is part of the file format of every positions table.
#pragma once

#include <cstdint>
#include <string>

#include "go/board.hpp"

namespace tabia::go {

constexpr int PACKED_SIZE = 96;

void pack(const Board& board, int passes, std::uint8_t* out);

// Returns an empty string, or why the bytes are no position. Prisoners come back as none.
std::string unpack(const std::uint8_t* packed, Board& board, int& passes);

}  // namespace tabia::go
