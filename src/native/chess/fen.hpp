// FEN: Forsyth-Edwards Notation, read and written.
//
// Castling fields may be plain (KQkq), X-FEN (a file letter where the outermost rook is not meant)
// or Shredder-FEN (HAha). Written are plain and X-FEN. As in python-chess a right without its king
// and rook is dropped, fields missing at the end take their defaults, and an en-passant target is
// kept only when a capture there is legal. What cannot be a position is an error that names the
// field and the value.
#pragma once

#include <string>
#include <string_view>

#include "chess/position.hpp"

namespace tabia::chess {

// Reads `text` into `out`. Returns an empty string, or what is wrong and where.
std::string parse_fen(std::string_view text, Position& out);

// Says why no game can have this position (kings, pawns, whose check), or an empty string.
std::string position_fault(const Position& p);

// The first four fields, "… w KQkq -": a position without its counters.
std::string write_epd(const Position& p);

// All six fields.
std::string write_fen(const Position& p);

}  // namespace tabia::chess
