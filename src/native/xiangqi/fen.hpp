// FEN: Forsyth-Edwards Notation of xiangqi, read and written.
//
// Written are Fairy-Stockfish's letters (k a b n r c p, capitals for Red) and six fields:
// `… w - - 0 1`. The fifth counts plies since the last capture. Read are also h for a horse, e for
// an elephant and r for Red to move; fields missing at the end, and counters given as -, take their
// defaults. What cannot be a position is an error that names the field and the value.
#pragma once

#include <string>
#include <string_view>

#include "xiangqi/position.hpp"

namespace tabia::xiangqi {

// Reads `text` into `out`. Returns an empty string, or what is wrong and where.
std::string parse_fen(std::string_view text, Position& out);

// Says why nobody can play on from here (no king or one outside its palace, too many of a kind,
// facing kings, the wrong side in check), or an empty string. Advisors, elephants and pawns may
// stand where moves never bring them: published boards have such misprints, and their games replay.
std::string position_fault(const Position& p);

// The first four fields, "… w - -": a position without its counters.
std::string write_epd(const Position& p);

// All six fields.
std::string write_fen(const Position& p);

}  // namespace tabia::xiangqi
