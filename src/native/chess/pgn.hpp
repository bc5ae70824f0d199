// A whole block of PGN to columns: finds the games, checks every move, keeps the sound ones and
// says of each of the others where and why. Never fails on any bytes; accepted + rejected = found.
//
// A game begins at a tag section, or at movetext without tags, and ends at a result token, at the
// next tag section or at the end of the block. `[Event ` at the start of a line after a blank line
// always begins a game, even inside an unclosed comment or variation: that is where a damaged file
// is picked up again, and where a stream may be cut into blocks (`safe_cut`).
//
// Reference: PGN Standard, Edwards 1994, section numbers in comments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "chess/pgn_tags.hpp"

namespace tabia::chess {

enum class Reject : std::uint8_t {
    ILLEGAL_MOVE,
    AMBIGUOUS_MOVE,
    BAD_SAN,
    NULL_MOVE,
    BAD_FEN,
    UNKNOWN_VARIANT,
    UNTERMINATED_COMMENT,
    UNBALANCED_VARIATION,
    BAD_TAG,
};
// Names in the order of the enum; the only place where they are written.
constexpr const char* REJECT_NAMES[] = {
    "illegal_move", "ambiguous_move",       "bad_san",              "null_move", "bad_fen",
    "unknown_variant", "unterminated_comment", "unbalanced_variation", "bad_tag"};
constexpr int REJECT_COUNT = static_cast<int>(sizeof(REJECT_NAMES) / sizeof(REJECT_NAMES[0]));

// Arrow's layout of strings: value i is data[offsets[i] .. offsets[i+1]), valid[i] 0 when null.
struct TextColumn {
    std::vector<std::int32_t> offsets{0};
    std::vector<char> data;
    std::vector<std::uint8_t> valid;

    void add(std::string_view text);  // made valid UTF-8
    void add_null();
};

constexpr int TEXT_TAGS = TAG_FEN + 1;  // TAG_EVENT .. TAG_FEN are text columns

struct Games {
    std::vector<std::int64_t> ordinal, byte_offset, line;
    TextColumn text[TEXT_TAGS];  // [TAG_FEN]: start FEN, rewritten; null = the standard start
    std::vector<std::uint8_t> chess960;
    std::vector<std::int32_t> white_elo, black_elo;  // -1 = null
    std::vector<std::int8_t> result;                 // White's view; RESULT_NULL = unknown
    std::vector<std::uint8_t> result_conflict, has_evals, has_clocks;
    std::vector<std::uint64_t> split_hash;
    std::vector<std::int64_t> ply_offsets{0};
    std::vector<std::uint16_t> moves;  // codec form
};

struct Rejects {
    std::vector<std::int64_t> ordinal, byte_offset, line;
    std::vector<std::uint8_t> reason;
    std::vector<std::int32_t> legal_plies;
    TextColumn detail;
};

struct ParsedPgn {
    std::int64_t found = 0;
    Games games;
    Rejects rejects;
};

// Parses a block. The base values are those of the block's first byte in the whole stream.
// Returns false, with nothing parsed, for a block of 2^29 bytes or more (offsets are 32 bits).
bool parse_pgn(std::string_view block, std::int64_t base_offset, std::int64_t base_line,
               std::int64_t base_ordinal, ParsedPgn& out);

struct Cut {
    std::size_t offset = 0;
    std::int64_t lines = 0;  // line feeds before `offset`
};

// The last place where the block can be cut without changing what is parsed: the start of the
// last `[Event ` line after a blank line. Offset 0 when there is none but the block's start.
Cut safe_cut(std::string_view block);

}  // namespace tabia::chess
