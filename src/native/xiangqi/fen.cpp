#include "xiangqi/fen.hpp"

#include <cstdint>
#include <initializer_list>

namespace tabia::xiangqi {
namespace {

constexpr char LETTERS[] = " KABNRCPkabnrcp";
constexpr const char* NAMES[] = {"", "king", "advisor", "elephant", "horse", "rook", "cannon",
                                 "pawn"};
constexpr int MOST[] = {0, 1, 2, 2, 2, 2, 2, 5};

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Printable ASCII of a value for a message, cut where it is long.
std::string quoted(std::string_view value) {
    std::string text = "'";
    for (const char c : value.substr(0, 100)) text += c >= ' ' && c <= '~' ? c : '?';
    if (value.size() > 100) text += "...";
    return text + "'";
}

std::string fault(const char* field, std::string_view value, const std::string& why) {
    return std::string(field) + " field " + quoted(value) + ": " + why;
}

int code_of_letter(char c) {
    if (c == 'h' || c == 'H') c = c == 'h' ? 'n' : 'N';
    if (c == 'e' || c == 'E') c = c == 'e' ? 'b' : 'B';
    for (int code = 1; code <= 14; ++code)
        if (LETTERS[code] == c) return code;
    return 0;
}

std::string parse_board(std::string_view field, Position& p) {
    int rank = RANKS - 1, file = 0;
    bool after_digit = false;
    const auto wrong_width = [&] {
        return fault("board", field, "rank " + std::to_string(rank) + " has " +
                                         std::to_string(file) + " squares, not 9");
    };
    for (const char c : field) {
        if (c == '/') {
            if (file != FILES) return wrong_width();
            if (rank == 0) return fault("board", field, "more than 10 ranks");
            --rank;
            file = 0;
            after_digit = false;
            continue;
        }
        if (c >= '1' && c <= '9') {
            if (after_digit) return fault("board", field, "two digits in a row");
            after_digit = true;
            file += c - '0';
        } else if (const int code = code_of_letter(c)) {
            after_digit = false;
            if (file < FILES) p.put(square_at(file, rank), code);
            ++file;
        } else {
            return fault("board", field, "unknown piece " + quoted(std::string_view(&c, 1)));
        }
        if (file > FILES)
            return fault("board", field,
                         "rank " + std::to_string(rank) + " has more than 9 squares");
    }
    if (rank != 0)
        return fault("board", field, std::to_string(RANKS - rank) + " ranks, not 10");
    return file == FILES ? std::string() : wrong_width();
}

// A field that is absent or "-" leaves the value as it is.
bool parse_counter(std::string_view field, std::uint32_t& value) {
    if (field == "-") return true;
    if (field.empty() || field.size() > 9) return false;
    value = 0;
    for (const char c : field) {
        if (c < '0' || c > '9') return false;
        value = 10 * value + static_cast<std::uint32_t>(c - '0');
    }
    return true;
}

std::string square_name(int square) {
    return {static_cast<char>('a' + file_of(square)), static_cast<char>('0' + rank_of(square))};
}

}  // namespace

std::string position_fault(const Position& p) {
    for (const int color : {RED, BLACK}) {
        const std::string name = color == RED ? "Red" : "Black";
        for (int type = KING; type <= PAWN; ++type) {
            const int n = count(p.pieces(color, type));
            if (n > MOST[type] || (type == KING && n == 0))
                return name + " has " + std::to_string(n) + " " + NAMES[type] + "s";
        }
        const int king = p.king(color);
        if (!TABLES.king[king] || half_of(king) != color)
            return name + "'s king stands on " + square_name(king) +
                   ", outside its palace (ranks from 0)";
    }
    const int red = p.king(RED), black = p.king(BLACK);
    if (file_of(red) == file_of(black) && !(TABLES.between[red][black] & p.occupied()))
        return "the kings face each other";
    if (p.king_attackers(p.king(p.side ^ 1), p.side, p.occupied()))
        return std::string(p.side == RED ? "Black" : "Red") +
               " is in check but it is not its move";
    return {};
}

std::string parse_fen(std::string_view text, Position& out) {
    std::string_view fields[7];
    int n = 0;
    for (std::size_t i = 0; i < text.size();) {
        while (i < text.size() && is_space(text[i])) ++i;
        const std::size_t start = i;
        while (i < text.size() && !is_space(text[i])) ++i;
        if (i > start) {
            if (n <= 6) fields[n] = text.substr(start, i - start);
            ++n;
        }
    }
    if (n == 0) return "FEN is empty";
    if (n > 6)
        return "FEN has " + std::to_string(n) +
               " fields, not 6 (board, side to move, -, -, halfmove clock, fullmove number); "
               "the first too many is " +
               quoted(fields[6]);

    Position p;
    std::string error = parse_board(fields[0], p);
    if (!error.empty()) return error;
    if (n > 1) {
        if (fields[1] == "b") p.side = BLACK;
        else if (fields[1] != "w" && fields[1] != "r")
            return fault("side to move", fields[1], "expected w (or r) or b");
    }
    error = position_fault(p);
    if (!error.empty()) return fault("board", fields[0], error);
    for (int i = 2; i < 4 && i < n; ++i)
        if (fields[i] != "-")
            return fault(i == 2 ? "third" : "fourth", fields[i], "expected -");
    if (n > 4 && !parse_counter(fields[4], p.halfmove))
        return fault("halfmove clock", fields[4], "expected a number from 0 to 999999999");
    if (n > 5 && !parse_counter(fields[5], p.fullmove))
        return fault("fullmove number", fields[5], "expected a number from 0 to 999999999");
    if (p.fullmove == 0) p.fullmove = 1;  // common in the wild
    p.key = p.computed_key();
    out = p;
    return {};
}

std::string write_epd(const Position& p) {
    std::string text;
    text.reserve(96);
    for (int rank = RANKS - 1; rank >= 0; --rank) {
        int empty = 0;
        for (int file = 0; file < FILES; ++file) {
            const int code = p.board[square_at(file, rank)];
            if (!code) {
                ++empty;
                continue;
            }
            if (empty) text += static_cast<char>('0' + empty);
            empty = 0;
            text += LETTERS[code];
        }
        if (empty) text += static_cast<char>('0' + empty);
        if (rank) text += '/';
    }
    return text + (p.side == RED ? " w - -" : " b - -");
}

std::string write_fen(const Position& p) {
    return write_epd(p) + ' ' + std::to_string(p.halfmove) + ' ' + std::to_string(p.fullmove);
}

}  // namespace tabia::xiangqi
