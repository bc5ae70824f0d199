// What bytes mean in PGN: classes of characters and the places where a game can begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tabia::chess {

// What a byte can begin in movetext, or end.
enum CharClass : std::uint8_t {
    SPACE,    // and other control characters
    NEWLINE,
    DIGIT,
    WORD,     // letters, signs and every byte of other scripts: part of a token
    OPEN_COMMENT,
    CLOSE_COMMENT,
    OPEN_VARIATION,
    CLOSE_VARIATION,
    REST_OF_LINE,  // ;
    NAG,
    BRACKET,  // [
    OTHER,    // ] < >
    PERIOD,
    STAR,
};

struct CharTable {
    CharClass of[256];
    bool ends_token[256];
    constexpr CharTable() : of{}, ends_token{} {
        for (int c = 0; c < 256; ++c) of[c] = c <= ' ' ? SPACE : WORD;
        for (int c = '0'; c <= '9'; ++c) of[c] = DIGIT;
        of['\n'] = NEWLINE;
        of['\r'] = NEWLINE;  // alone in old Mac files
        of['{'] = OPEN_COMMENT;
        of['}'] = CLOSE_COMMENT;
        of['('] = OPEN_VARIATION;
        of[')'] = CLOSE_VARIATION;
        of[';'] = REST_OF_LINE;
        of['$'] = NAG;
        of['['] = BRACKET;
        of[']'] = of['<'] = of['>'] = OTHER;
        of['.'] = PERIOD;
        of['*'] = STAR;
        for (int c = 0; c < 256; ++c) {
            // Full stops stay inside a token ("exd6e.p."); move numbers are read by themselves.
            ends_token[c] = of[c] != DIGIT && of[c] != WORD && of[c] != PERIOD;
        }
    }
};
inline constexpr CharTable CHARS;

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_line_end(char c) { return c == '\n' || c == '\r'; }
inline CharClass class_of(char c) { return CHARS.of[static_cast<unsigned char>(c)]; }

inline bool starts_with(const char* p, const char* end, const char* text, std::size_t n) {
    return static_cast<std::size_t>(end - p) >= n && std::memcmp(p, text, n) == 0;
}

inline bool at_line_start(const char* begin, const char* p) {
    return p == begin || is_line_end(p[-1]);
}

// Whether a tag's name follows the '[' at `p`.
inline bool names_tag(const char* p, const char* end) {
    do ++p;
    while (p < end && (*p == ' ' || *p == '\t'));
    return p < end && is_letter(*p);
}

// Whether the '[' at `p` opens a tag: a name follows and only blanks stand before it on its line.
inline bool at_tag(const char* begin, const char* p, const char* end) {
    if (!names_tag(p, end)) return false;
    while (p > begin && (p[-1] == ' ' || p[-1] == '\t')) --p;
    return at_line_start(begin, p);
}

// Whether `p`, at a '[', is an `[Event ` line after a blank line or at the block's start.
inline bool at_event(const char* begin, const char* p, const char* end) {
    if (!starts_with(p, end, "[Event", 6) || end - p < 7 ||
        (p[6] != ' ' && p[6] != '\t' && p[6] != '"'))
        return false;
    // A byte order mark where files were joined is no text.
    if (p - begin >= 3 && std::memcmp(p - 3, "\xEF\xBB\xBF", 3) == 0) p -= 3;
    if (p == begin) return true;
    if (!is_line_end(p[-1])) return false;
    const char* q = p - 1;
    const bool line_feeds = *q == '\n';
    if (line_feeds && q > begin && q[-1] == '\r') --q;
    while (q > begin && (q[-1] == ' ' || q[-1] == '\t')) --q;
    return q == begin || is_line_end(q[-1]);
}

}  // namespace tabia::chess
