// A position in 32 bytes: 64 nibbles, a1 first, the low nibble of a byte first.
//
//   0       empty
//   1..6    white P N B R Q K
//   7..12   black P N B R Q K (with 15, below, in place of 12 when Black is to move)
//   13      a pawn that can legally be taken en passant (rank 4 White's, rank 5 Black's)
//   14      a rook that may still castle (rank 1 White's, rank 8 Black's)
//   15      the black king, Black to move
//
// Each position without counters has exactly one packing, so positions are equal if and only if
// their bytes are. The layout is part of the file format of every positions table.
#pragma once

#include <cstdint>
#include <string>

#include "chess/position.hpp"

namespace tabia::chess {

constexpr int PACKED_SIZE = 32;

void pack(const Position& p, std::uint8_t* out);

// Returns an empty string, or why the bytes are no position. Counters come back as 0 and 1.
std::string unpack(const std::uint8_t* packed, Position& out);

// Plain piece codes 0..12 of the 64 squares: what stands there, the rest left out. Every byte
// string has them.
void piece_codes(const std::uint8_t* packed, std::uint8_t* out);

}  // namespace tabia::chess
