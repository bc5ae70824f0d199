#include "chess/pgn_tags.hpp"

#include <cstring>

namespace tabia::chess {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '+' || c == '#' || c == '=' || c == ':' || c == '-';
}

std::string_view trimmed(const char* s, const char* e) {
    while (s < e && is_blank(*s)) ++s;
    while (e > s && is_blank(e[-1])) --e;
    return {s, static_cast<std::size_t>(e - s)};
}

Tag tag_of(std::string_view name) {
    switch (name.size()) {
        case 3:
            if (name == "ECO") return TAG_ECO;
            if (name == "FEN") return TAG_FEN;
            break;
        case 4:
            if (name == "Site") return TAG_SITE;
            if (name == "Date") return TAG_DATE;
            break;
        case 5:
            if (name == "Event") return TAG_EVENT;
            if (name == "Round") return TAG_ROUND;
            if (name == "White") return TAG_WHITE;
            if (name == "Black") return TAG_BLACK;
            break;
        case 6:
            if (name == "Result") return TAG_RESULT;
            break;
        case 7:
            if (name == "Variant") return TAG_VARIANT;
            if (name == "UTCDate") return TAG_UTC_DATE;
            if (name == "UTCTime") return TAG_UTC_TIME;
            break;
        case 8:
            if (name == "WhiteElo") return TAG_WHITE_ELO;
            if (name == "BlackElo") return TAG_BLACK_ELO;
            break;
        case 11:
            if (name == "TimeControl") return TAG_TIME_CONTROL;
            if (name == "Termination") return TAG_TERMINATION;
            break;
        default: break;
    }
    return TAG_OTHER;
}

}  // namespace

bool read_tag(const char*& p, const char* end, Tag& tag, TagValue& value) {
    const char* line_end = p;
    while (line_end < end && *line_end != '\n' && *line_end != '\r') ++line_end;
    const char* s = p + 1;
    while (s < line_end && is_blank(*s)) ++s;
    const char* name = s;
    while (s < line_end && is_name(*s)) ++s;
    if (s == name) {
        p = line_end;
        return false;
    }
    tag = tag_of({name, static_cast<std::size_t>(s - name)});
    value = TagValue{};
    value.present = true;
    while (s < line_end && is_blank(*s)) ++s;
    if (s < line_end && *s == '"') {
        const char* text = ++s;
        for (; s < line_end; ++s) {
            if (*s == '\\' && s + 1 < line_end && (s[1] == '"' || s[1] == '\\')) {
                value.escaped = true;
                ++s;
            } else if (*s == '"') {
                // The closing quote is the one before the bracket; others belong to the value.
                const char* q = s + 1;
                while (q < line_end && is_blank(*q)) ++q;
                if (q < line_end && *q != ']') continue;
                value.raw = trimmed(text, s);
                p = q < line_end ? q + 1 : line_end;
                return true;
            }
        }
        s = line_end;  // no closing quote: the rest of the line, without its bracket
        while (s > text && is_blank(s[-1])) --s;
        if (s > text && s[-1] == ']') --s;
        value.raw = trimmed(text, s);
        p = line_end;
        return true;
    }
    const auto* bracket =
        static_cast<const char*>(std::memchr(s, ']', static_cast<std::size_t>(line_end - s)));
    value.raw = trimmed(s, bracket ? bracket : line_end);
    p = bracket ? bracket + 1 : line_end;
    return true;
}

std::string unescaped(const TagValue& value) {
    std::string text;
    text.reserve(value.raw.size());
    for (std::size_t i = 0; i < value.raw.size(); ++i) {
        if (value.raw[i] == '\\' && i + 1 < value.raw.size() &&
            (value.raw[i + 1] == '"' || value.raw[i + 1] == '\\'))
            ++i;
        text += value.raw[i];
    }
    return text;
}

bool read_result(std::string_view text, std::int8_t& result) {
    if (text == "1-0") result = 1;
    else if (text == "0-1") result = -1;
    else if (text == "1/2-1/2" || text == "1/2" || text == "\xC2\xBD-\xC2\xBD" ||
             text == "\xBD-\xBD")
        result = 0;
    else if (text == "*") result = RESULT_NULL;
    else return false;
    return true;
}

std::int32_t read_elo(std::string_view text) {
    if (text.empty() || text.size() > 4) return -1;
    std::int32_t elo = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return -1;
        elo = 10 * elo + (c - '0');
    }
    return elo ? elo : -1;
}

Variant read_variant(std::string_view text) {
    std::string name;
    for (const char c : text.substr(0, 64)) {
        if (c >= 'A' && c <= 'Z') name += static_cast<char>(c + 32);
        else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) name += c;
    }
    if (name.empty()) {
        for (const char c : text)
            if (c != '?' && c != '-' && c != '.' && !is_blank(c)) return Variant::UNKNOWN;
        return Variant::STANDARD;
    }
    for (const char* standard : {"standard", "fromposition", "chess", "normal", "classical",
                                 "orthodox", "regular", "standardchess"})
        if (name == standard) return Variant::STANDARD;
    for (const char* chess960 :
         {"chess960", "960", "fischerandom", "fischerrandom", "fischerandomchess",
          "fischerrandomchess", "fischer", "frc", "freestyle", "freestylechess", "chess9lx",
          "wildfr", "fischerandomchess960", "fischerrandomchess960"})
        if (name == chess960) return Variant::CHESS960;
    return Variant::UNKNOWN;
}

bool says_nothing(std::string_view text, Tag tag) {
    // "-" in TimeControl is a statement: no clock (PGN standard 9.6.1).
    if (text == "-") return tag != TAG_TIME_CONTROL;
    for (const char c : text)
        if (c != '?' && c != '.') return false;
    return true;
}

}  // namespace tabia::chess
