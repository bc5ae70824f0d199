// A position in 45 bytes: 90 nibbles, a0 first, the low nibble of a byte first.
//
//   0       empty
//   1..7    red K A B N R C P
//   8..14   black K A B N R C P (with 15, below, in place of 8 when Black is to move)
//   15      the black king, Black to move
//
// Each position without counters has exactly one packing, so positions are equal if and only if
// their bytes are. The layout is part of the file format of every positions table.
#pragma once

#include <cstdint>
#include <string>

#include "xiangqi/position.hpp"

namespace tabia::xiangqi {

constexpr int PACKED_SIZE = SQUARES / 2;

void pack(const Position& p, std::uint8_t* out);

// Returns an empty string, or why the bytes are no position. Counters come back as 0 and 1.
std::string unpack(const std::uint8_t* packed, Position& out);

// Plain piece codes 0..14 of the 90 squares. Every byte string has them.
void piece_codes(const std::uint8_t* packed, std::uint8_t* out);

}  // namespace tabia::xiangqi
