#include "chess/text.hpp"

#include <cstdint>
#include <cstring>

namespace tabia::chess {
namespace {

// Windows-1252 code points of bytes 0x80..0x9F (WHATWG Encoding Standard, index windows-1252).
constexpr std::uint16_t CP1252[32] = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

bool is_ascii(std::string_view text) {
    const char* s = text.data();
    std::size_t n = text.size();
    for (; n >= 8; s += 8, n -= 8) {
        std::uint64_t word;
        std::memcpy(&word, s, 8);
        if (word & 0x8080808080808080ULL) return false;
    }
    for (; n; --n, ++s)
        if (static_cast<unsigned char>(*s) >= 0x80) return false;
    return true;
}

}  // namespace

bool is_utf8(std::string_view text) {
    const auto* s = reinterpret_cast<const unsigned char*>(text.data());
    const auto* e = s + text.size();
    while (s < e) {
        const unsigned c = *s++;
        if (c < 0x80) continue;
        int more;
        unsigned code, least;
        if (c >= 0xC2 && c <= 0xDF) more = 1, code = c & 0x1F, least = 0x80;
        else if ((c & 0xF0) == 0xE0) more = 2, code = c & 0x0F, least = 0x800;
        else if (c >= 0xF0 && c <= 0xF4) more = 3, code = c & 0x07, least = 0x10000;
        else return false;
        for (; more; --more) {
            if (s == e || (*s & 0xC0) != 0x80) return false;
            code = code << 6 | (*s++ & 0x3F);
        }
        if (code < least || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return false;
    }
    return true;
}

void append_utf8(std::string_view text, std::vector<char>& out) {
    if (is_ascii(text) || is_utf8(text)) {
        out.insert(out.end(), text.begin(), text.end());
        return;
    }
    for (const char byte : text) {
        unsigned code = static_cast<unsigned char>(byte);
        if (code >= 0x80 && code < 0xA0) code = CP1252[code - 0x80];
        if (code < 0x80) {
            out.push_back(static_cast<char>(code));
        } else if (code < 0x800) {
            out.push_back(static_cast<char>(0xC0 | code >> 6));
            out.push_back(static_cast<char>(0x80 | (code & 0x3F)));
        } else {
            out.push_back(static_cast<char>(0xE0 | code >> 12));
            out.push_back(static_cast<char>(0x80 | (code >> 6 & 0x3F)));
            out.push_back(static_cast<char>(0x80 | (code & 0x3F)));
        }
    }
}

}  // namespace tabia::chess
