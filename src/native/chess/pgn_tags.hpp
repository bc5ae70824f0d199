// The tag pairs of a PGN game: finding them and reading their values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tabia::chess {

// Tags that are kept, text columns first and in the order of the output's columns.
enum Tag : int {
    TAG_EVENT,
    TAG_SITE,
    TAG_ROUND,
    TAG_DATE,
    TAG_UTC_DATE,
    TAG_UTC_TIME,
    TAG_WHITE,
    TAG_BLACK,
    TAG_TIME_CONTROL,
    TAG_TERMINATION,
    TAG_ECO,
    TAG_FEN,
    TAG_VARIANT,
    TAG_RESULT,
    TAG_WHITE_ELO,
    TAG_BLACK_ELO,
    TAG_COUNT,
    TAG_OTHER = TAG_COUNT,
};

struct TagValue {
    std::string_view raw;  // between the quotes, trimmed, escapes still in place
    bool present = false;
    bool escaped = false;  // holds a backslash
};

// Reads one pair at `p`, which points to '['. Writes the tag and its value and moves `p` past the
// pair, at most to the end of the line. Lenient: quotes inside a value, a missing closing quote
// or bracket and values without quotes are read as meant. False when there is no name.
bool read_tag(const char*& p, const char* end, Tag& tag, TagValue& value);

// The value with \" and \\ undone.
std::string unescaped(const TagValue& value);

constexpr std::int8_t RESULT_NULL = -128;

// "1-0", "0-1", "1/2-1/2", "*" and their usual variants. Sets `result` to 1, -1, 0 or
// RESULT_NULL (for *) and returns true; false for any other text.
bool read_result(std::string_view text, std::int8_t& result);

// 1..9999, or -1 for anything else: empty, "?", "-", 0, text.
std::int32_t read_elo(std::string_view text);

enum class Variant : std::uint8_t { STANDARD, CHESS960, UNKNOWN };

// By the name's letters and digits alone, whatever the case.
Variant read_variant(std::string_view text);

// Whether a text value says that nothing is known: empty, only ? and . (dates), or "-".
bool says_nothing(std::string_view text, Tag tag);

}  // namespace tabia::chess
