// Moves as people write them: Standard Algebraic Notation and its relatives.
#pragma once

#include <string>
#include <string_view>

#include "chess/move.hpp"
#include "chess/position.hpp"

namespace tabia::chess {

enum class SanStatus : std::uint8_t { LEGAL, SYNTAX, ILLEGAL, AMBIGUOUS, NULL_MOVE };

struct SanResult {
    SanStatus status = SanStatus::SYNTAX;
    Move move = NO_MOVE;          // core form; NO_MOVE unless LEGAL
    std::uint8_t type = NO_TYPE;  // what was meant to move, and whereto, as far as it was read
    std::uint8_t to = NO_SQUARE;
    bool castling = false;
    Bitboard candidates = 0;      // the rivals when AMBIGUOUS
};

// Reads one move: SAN (`Nbxd7+`), without the capture sign, long (`Ng1-f3`), coordinates as UCI
// writes them (`e7e8q`, castling as king to its goal or onto its rook), castling with O, o or 0,
// `e.p.`, promotions as `e8=Q`, `e8Q`, `e8(Q)`, `e8/Q`, any + # ! ? at the end, and the null
// moves `--`, `Z0`, `@@@@`. Works backwards from the goal square and tests only the candidates'
// legality, which is several times faster than generating every legal move.
SanResult read_san(const Position& p, std::string_view token);

// One sentence on why a token was not a legal move.
std::string explain(const SanResult& result);

// Standard SAN of a legal move in core form, with + or #.
std::string write_san(const Position& p, Move move);

// UCI text of a codec move (`0000` for NO_MOVE).
std::string write_uci(Move code);

// The codec move of UCI text, NO_MOVE when it is none. Knows no position.
Move read_uci(std::string_view text);

}  // namespace tabia::chess
