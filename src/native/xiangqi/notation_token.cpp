#include "xiangqi/notation.hpp"

namespace tabia::xiangqi {
namespace {

// What a code point means in a move. ASCII stands for itself, Chinese words begin at 0x80.
using Symbol = std::uint8_t;
constexpr Symbol SKIPPED = 0;
constexpr Symbol PIECE = 0x80;   // + PieceType
constexpr Symbol NUMBER = 0x90;  // + 1 .. 9
constexpr Symbol FRONT_WORD = 0xA0, MIDDLE_WORD = 0xA1, REAR_WORD = 0xA2;
constexpr Symbol ADVANCE_WORD = 0xA3, RETREAT_WORD = 0xA4, SIDEWAYS_WORD = 0xA5;
constexpr Symbol UNKNOWN = 0xFF;

constexpr int MAX_SYMBOLS = 8;  // `h10-g10` has seven
constexpr int MAX_TEXT = 32;

Symbol symbol_of(char32_t c) {
    if (c >= 0xFF01 && c <= 0xFF5E) c -= 0xFEE0;  // full width
    if (c == ' ' || c == '\t') return SKIPPED;
    if (c > ' ' && c < 0x7F) return static_cast<Symbol>(c);
    switch (c) {
        case 0x3000: case 0x00A0: return SKIPPED;
        case 0x2212: case 0x2010: case 0x2011: case 0x2012: case 0x2013: case 0x2014:
        case 0x2015: case 0xFE63: return '-';
        case 0x3002: case 0x00B7: case 0x30FB: return '.';
        case U'帥': case U'帅': case U'將': case U'将': return PIECE + KING;
        case U'仕': case U'士': return PIECE + ADVISOR;
        case U'相': case U'象': return PIECE + ELEPHANT;
        case U'馬': case U'马': case U'傌': case U'㐷': return PIECE + HORSE;
        case U'車': case U'车': case U'俥': case 0x4F21: case 0xF902: return PIECE + ROOK;
        case U'炮': case U'砲': case U'包': return PIECE + CANNON;
        case U'兵': case U'卒': return PIECE + PAWN;
        case U'一': return NUMBER + 1;
        case U'二': return NUMBER + 2;
        case U'三': return NUMBER + 3;
        case U'四': return NUMBER + 4;
        case U'五': return NUMBER + 5;
        case U'六': return NUMBER + 6;
        case U'七': return NUMBER + 7;
        case U'八': return NUMBER + 8;
        case U'九': return NUMBER + 9;
        case U'前': return FRONT_WORD;
        case U'中': return MIDDLE_WORD;
        case U'後': case U'后': return REAR_WORD;
        case U'進': case U'进': return ADVANCE_WORD;
        case U'退': return RETREAT_WORD;
        case U'平': return SIDEWAYS_WORD;
        default: return UNKNOWN;
    }
}

bool is_digit(Symbol s) { return s >= '0' && s <= '9'; }
bool is_capital(Symbol s) { return s >= 'A' && s <= 'Z'; }
bool is_small(Symbol s) { return s >= 'a' && s <= 'z'; }
Symbol small(Symbol s) { return is_capital(s) ? static_cast<Symbol>(s + 32) : s; }
bool is_sign(Symbol s) { return s == '+' || s == '-'; }

// 1 to 9, or 0.
int number_of(Symbol s) {
    if (s >= '1' && s <= '9') return s - '0';
    if (s > NUMBER && s <= NUMBER + 9) return s - NUMBER;
    return 0;
}

int piece_of(Symbol s) {
    if (s > PIECE && s <= PIECE + PAWN) return s - PIECE;
    switch (small(s)) {
        case 'k': case 'g': return KING;
        case 'a': return ADVISOR;
        case 'e': case 'b': return ELEPHANT;
        case 'h': case 'n': return HORSE;
        case 'r': return ROOK;
        case 'c': return CANNON;
        case 'p': case 's': return PAWN;
        default: return NO_TYPE;
    }
}

Mark mark_of(Symbol s) {
    switch (s) {
        case '+': return Mark::PLUS;
        case '-': return Mark::MINUS;
        case FRONT_WORD: return Mark::FRONT;
        case MIDDLE_WORD: return Mark::MIDDLE;
        case REAR_WORD: return Mark::REAR;
        default: return Mark::NONE;
    }
}

bool read_action(Symbol s, Action& action) {
    switch (s) {
        case '+': case ADVANCE_WORD: action = Action::ADVANCE; return true;
        case '-': case RETREAT_WORD: action = Action::RETREAT; return true;
        case '=': case '.': case ':': case SIDEWAYS_WORD: action = Action::SIDEWAYS; return true;
        default: return false;
    }
}

int file_letter(Symbol s) {
    const Symbol c = small(s);
    return c >= 'a' && c <= 'i' ? c - 'a' : NOT_GIVEN;
}

// A rank of one digit, or 10; moves `at` behind it.
int read_rank(const Symbol* s, int size, int& at) {
    if (at >= size || !is_digit(s[at])) return NOT_GIVEN;
    if (s[at] == '1' && at + 1 < size && s[at + 1] == '0') {
        at += 2;
        return 10;
    }
    return s[at++] - '0';
}

bool read_squares(const Symbol* s, int size, Token& token) {
    int at = 1;
    const int from_file = size >= 4 ? file_letter(s[0]) : NOT_GIVEN;
    if (from_file == NOT_GIVEN) return false;
    const int from_rank = read_rank(s, size, at);
    if (from_rank == NOT_GIVEN || at >= size) return false;
    const bool has_hyphen = s[at] == '-';
    if (has_hyphen && ++at >= size) return false;
    const Symbol second = s[at];
    const int to_file = file_letter(s[at++]);
    const int to_rank = read_rank(s, size, at);
    if (to_file == NOT_GIVEN || to_rank == NOT_GIVEN || at != size) return false;
    // C3c5: SAN for the cannon of rank 3.
    if (is_capital(s[0]) && is_small(second) && piece_of(s[0]) != NO_TYPE) return false;
    token.form = Form::SQUARES;
    token.from_file = static_cast<std::int8_t>(from_file);
    token.from_rank = static_cast<std::int8_t>(from_rank);
    token.to_file = static_cast<std::int8_t>(to_file);
    token.to_rank = static_cast<std::int8_t>(to_rank);
    token.has_hyphen = has_hyphen;
    return true;
}

// What names the piece: all but the action and the last number, one to three symbols.
bool read_origin(const Symbol* s, int size, Token& token) {
    const auto set = [&token](int piece, int file, Mark mark, int ordinal) {
        token.piece = static_cast<std::uint8_t>(piece);
        token.file = static_cast<std::uint8_t>(file);
        token.mark = mark;
        token.ordinal = static_cast<std::uint8_t>(ordinal);
        return true;
    };
    const int piece = piece_of(s[0]), number = number_of(s[0]);
    const Mark mark = mark_of(s[0]);
    if (size == 3) {  // P3+.4
        const Mark last = mark_of(s[2]);
        if (!piece || !number_of(s[1]) || last == Mark::NONE) return false;
        return set(piece, number_of(s[1]), last, 0);
    }
    if (size != 2) return false;
    const int second_piece = piece_of(s[1]), second_number = number_of(s[1]);
    const Mark second_mark = mark_of(s[1]);
    if (piece) {
        if (second_number) return set(piece, second_number, Mark::NONE, 0);
        if (second_mark != Mark::NONE) return set(piece, 0, second_mark, 0);
        if (piece == PAWN && s[1] >= 'a' && s[1] <= 'e')
            return set(PAWN, 0, Mark::ACROSS, s[1] - 'a' + 1);
        return false;
    }
    if (mark != Mark::NONE) {
        if (second_piece) return set(second_piece, 0, mark, 0);
        if (second_number) return set(PAWN, second_number, mark, 0);
        if (!is_sign(s[0]) || s[0] != s[1]) return false;
        return set(PAWN, 0, s[0] == '+' ? Mark::FOREMOST : Mark::REARMOST, 0);
    }
    if (number) {
        if (second_piece) return set(second_piece, 0, Mark::ACROSS, number);
        if (second_number) return set(PAWN, second_number, Mark::ORDINAL, number);
        if (second_mark != Mark::NONE) return set(PAWN, number, second_mark, 0);
    }
    return false;
}

bool read_relative(const Symbol* s, int size, Token& token) {
    if (size < 3 || size > 5) return false;
    const int number = number_of(s[size - 1]);
    if (!number) return false;
    token.number = static_cast<std::uint8_t>(number);
    bool is_read;
    if (read_action(s[size - 2], token.action)) {
        is_read = read_origin(s, size - 2, token);
        token.has_equals = s[size - 2] == '=';
    } else {  // C25
        token.action = Action::SIDEWAYS;
        is_read = size == 3 && piece_of(s[0]) && number_of(s[1]) && read_origin(s, 2, token);
    }
    if (is_read) token.form = Form::RELATIVE;
    return is_read;
}

bool read_san(const Symbol* s, int size, Token& token) {
    while (size && (s[size - 1] == '+' || s[size - 1] == '#')) --size;
    if (!size || !is_digit(s[size - 1])) return false;
    int at = 0;
    int piece = PAWN;
    if (is_capital(s[0])) {
        piece = piece_of(s[0]);
        if (!piece) return false;
        ++at;
    }
    int files[2] = {NOT_GIVEN, NOT_GIVEN}, ranks[2] = {NOT_GIVEN, NOT_GIVEN}, found = 0;
    while (at < size && found < 2) {
        if (s[at] == 'x' || s[at] == '-') {
            ++at;
            continue;
        }
        files[found] = is_small(s[at]) ? file_letter(s[at]) : NOT_GIVEN;
        if (files[found] != NOT_GIVEN) ++at;
        ranks[found] = read_rank(s, size, at);
        if (files[found] == NOT_GIVEN && ranks[found] == NOT_GIVEN) return false;
        ++found;
    }
    if (!found || at != size) return false;
    if (files[found - 1] == NOT_GIVEN || ranks[found - 1] == NOT_GIVEN) return false;
    token.form = Form::SAN;
    token.piece = static_cast<std::uint8_t>(piece);
    token.to_file = static_cast<std::int8_t>(files[found - 1]);
    token.to_rank = static_cast<std::int8_t>(ranks[found - 1]);
    if (found == 2) {
        token.from_file = static_cast<std::int8_t>(files[0]);
        token.from_rank = static_cast<std::int8_t>(ranks[0]);
    }
    return true;
}

}  // namespace

Token read_token(const char32_t* text, int size) {
    Symbol symbols[MAX_SYMBOLS];
    int n = 0;
    Token token;
    if (size > MAX_TEXT) return token;
    for (int i = 0; i < size; ++i) {
        const Symbol symbol = symbol_of(text[i]);
        if (symbol == SKIPPED) continue;
        if (symbol == UNKNOWN) return token;
        if (n == MAX_SYMBOLS) {
            if (symbol == '!' || symbol == '?') continue;
            return token;
        }
        symbols[n++] = symbol;
    }
    while (n && (symbols[n - 1] == '!' || symbols[n - 1] == '?')) --n;
    if (n < 2) return token;
    for (int i = 0; i < n; ++i) {
        token.is_chinese |= symbols[i] >= PIECE;
        token.has_capitals |= is_capital(symbols[i]);
        token.has_small |= is_small(symbols[i]);
    }
    const bool is_read = read_relative(symbols, n, token) || read_squares(symbols, n, token) ||
                         read_san(symbols, n, token);
    return is_read ? token : Token{};
}

}  // namespace tabia::xiangqi
