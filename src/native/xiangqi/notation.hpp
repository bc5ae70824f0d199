// Moves as people and programs write them: WXF and PlayOK's form of it, Chinese in traditional and
// simplified characters, coordinates, XBoard's SAN.
//
// A text is first read into a Token, which needs no position, and then matched with the legal moves
// of a position. Which forms exist and which is written when stands in docs/xiangqi_notation.md.
#pragma once

#include <cstdint>
#include <string>

#include "xiangqi/movegen.hpp"
#include "xiangqi/position.hpp"

namespace tabia::xiangqi {

enum class Form : std::uint8_t { NONE, RELATIVE, SQUARES, SAN };

// Which of several like pieces moves, where not the file alone tells.
enum class Mark : std::uint8_t {
    NONE,
    FRONT,
    MIDDLE,
    REAR,
    PLUS,      // `+` and `-`: the front and the rear one; of four or five on a file the second and
    MINUS,     // the last but one, because the outermost are
    FOREMOST,  // `++` and
    REARMOST,  // `--`
    ORDINAL,   // the n-th from the front of its file
    ACROSS,    // the n-th of all that share files, from the mover's right, front to rear
};

enum class Action : std::uint8_t { ADVANCE, RETREAT, SIDEWAYS };

constexpr int NOT_GIVEN = -1;

struct Token {
    Form form = Form::NONE;
    std::uint8_t piece = NO_TYPE;
    // RELATIVE: files 1 to 9 from the mover's right, 0 where the text has none.
    std::uint8_t file = 0;
    Mark mark = Mark::NONE;
    std::uint8_t ordinal = 0;  // of ORDINAL and ACROSS, 1 first
    Action action = Action::SIDEWAYS;
    std::uint8_t number = 0;
    // SQUARES, SAN: files from 0, ranks as written.
    std::int8_t from_file = NOT_GIVEN, from_rank = NOT_GIVEN;
    std::int8_t to_file = NOT_GIVEN, to_rank = NOT_GIVEN;
    // How it was written.
    bool is_chinese = false;
    bool has_capitals = false;  // ASCII letters
    bool has_small = false;
    bool has_hyphen = false;  // between two squares
    bool has_equals = false;  // for a move sideways
};

// Reads `size` code points. Form::NONE if they are no move of any dialect.
Token read_token(const char32_t* text, int size);

enum class Fault : std::uint8_t { NONE, BAD, ILLEGAL, AMBIGUOUS };

struct Resolved {
    Move move = NO_MOVE;
    Fault fault = Fault::NONE;
};

// The legal move that a token names. Ranks of squares are counted from `first_rank`.
Resolved resolve(const Position& p, const Token& token, int first_rank);

// Plays `n` tokens from `p` on and writes their moves to `codes` until one has a fault. Returns the
// number of moves; `p` is then the position after them.
std::int64_t read_game(Position& p, const Token* tokens, std::int64_t n, int first_rank,
                       Move* codes, Fault& fault);

enum class Style : std::uint8_t { WXF, PLAYOK, ICCS, UCCI, UCI, SIMPLIFIED, TRADITIONAL };

// UTF-8 text of a legal move.
std::string write_text(const Position& p, Move move, Style style);

}  // namespace tabia::xiangqi
