#include "chess/fen.hpp"

#include <bit>
#include <cstdint>

namespace tabia::chess {
namespace {

constexpr char LETTERS[] = " PNBRQKpnbrqk";

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
    for (int code = 1; code <= 12; ++code)
        if (LETTERS[code] == c) return code;
    return 0;
}

std::string parse_board(std::string_view field, Position& p) {
    int rank = 7, file = 0;
    bool after_digit = false;
    for (const char c : field) {
        if (c == '/') {
            if (file != 8)
                return fault("board", field, "rank " + std::to_string(rank + 1) + " has " +
                                                 std::to_string(file) + " squares, not 8");
            if (rank == 0) return fault("board", field, "more than 8 ranks");
            --rank;
            file = 0;
            after_digit = false;
            continue;
        }
        if (c >= '1' && c <= '8') {
            if (after_digit) return fault("board", field, "two digits in a row");
            after_digit = true;
            file += c - '0';
        } else if (const int code = code_of_letter(c)) {
            after_digit = false;
            if (file < 8) p.put(8 * rank + file, code);
            ++file;
        } else {
            return fault("board", field, "unknown piece " + quoted(std::string_view(&c, 1)));
        }
        if (file > 8)
            return fault("board", field,
                         "rank " + std::to_string(rank + 1) + " has more than 8 squares");
    }
    if (rank != 0)
        return fault("board", field, std::to_string(8 - rank) + " ranks, not 8");
    if (file != 8)
        return fault("board", field, "rank 1 has " + std::to_string(file) + " squares, not 8");
    return {};
}

// The rook that a castling letter means, or NO_SQUARE when king and rook do not stand so.
int rook_of_right(const Position& p, int color, char lower) {
    const Bitboard home = color == WHITE ? RANK_1 : RANK_8;
    const Bitboard king = p.pieces(color, KING) & home;
    const Bitboard rooks = p.pieces(color, ROOK) & home;
    if (!king || !rooks) return NO_SQUARE;
    if (lower == 'k') {
        const int rook = highest(rooks);
        return rook > lowest(king) ? rook : NO_SQUARE;
    }
    if (lower == 'q') {
        const int rook = lowest(rooks);
        return rook < lowest(king) ? rook : NO_SQUARE;
    }
    const Bitboard rook = rooks & file_mask(lower - 'a');
    return rook ? lowest(rook) : NO_SQUARE;
}

std::string parse_castling(std::string_view field, Position& p) {
    if (field == "-") return {};
    for (const char c : field) {
        const bool upper = c >= 'A' && c <= 'Z';
        const char lower = upper ? static_cast<char>(c + 32) : c;
        if (lower != 'k' && lower != 'q' && !(lower >= 'a' && lower <= 'h'))
            return fault("castling", field, "unknown letter " + quoted(std::string_view(&c, 1)));
        const int rook = rook_of_right(p, upper ? WHITE : BLACK, lower);
        if (rook != NO_SQUARE) p.castling |= bit(rook);
    }
    for (const int color : {WHITE, BLACK}) {
        const Bitboard rights = p.castling & (color == WHITE ? RANK_1 : RANK_8);
        if (!rights) continue;
        const Bitboard below = bit(p.king(color)) - 1;
        if (more_than_one(rights & below) || more_than_one(rights & ~below))
            return fault("castling", field, "two rooks on one side of the king");
    }
    return {};
}

bool parse_counter(std::string_view field, std::uint32_t& value) {
    value = 0;
    if (field.empty() || field.size() > 9) return false;
    for (const char c : field) {
        if (c < '0' || c > '9') return false;
        value = 10 * value + static_cast<std::uint32_t>(c - '0');
    }
    return true;
}

void append_castling(const Position& p, std::string& text) {
    const std::size_t before = text.size();
    for (const int color : {WHITE, BLACK}) {
        const Bitboard home = color == WHITE ? RANK_1 : RANK_8;
        const Bitboard rights = p.castling & home;
        if (!rights) continue;
        const Bitboard rooks = p.pieces(color, ROOK) & home;
        const int king = p.king(color);
        const char shift = color == WHITE ? 0 : 32;
        for (Bitboard b = rights; b;) {  // king's side first, as in KQ
            const int rook = highest(b);
            b ^= bit(rook);
            char letter;
            if (rook > king)
                letter = rook == highest(rooks) ? 'K' : static_cast<char>('A' + file_of(rook));
            else
                letter = rook == lowest(rooks) ? 'Q' : static_cast<char>('A' + file_of(rook));
            text += static_cast<char>(letter + shift);
        }
    }
    if (text.size() == before) text += '-';
}

}  // namespace

std::string position_fault(const Position& p) {
    for (const int color : {WHITE, BLACK}) {
        const std::string name = color == WHITE ? "White" : "Black";
        const int kings = std::popcount(p.pieces(color, KING));
        if (kings != 1) return name + " has " + std::to_string(kings) + " kings";
        const int men = std::popcount(p.by_color[color]);
        if (men > 16) return name + " has " + std::to_string(men) + " pieces, more than 16";
        const int pawns = std::popcount(p.pieces(color, PAWN));
        if (pawns > 8) return name + " has " + std::to_string(pawns) + " pawns";
    }
    if (p.by_type[PAWN] & (RANK_1 | RANK_8)) return "a pawn stands on rank 1 or 8";
    if (p.attackers(p.king(p.side ^ 1), p.side, p.occupied()))
        return std::string(p.side == WHITE ? "Black" : "White") +
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
               " fields, not 6 (board, side to move, castling, en passant, halfmove clock, "
               "fullmove number); the first too many is " +
               quoted(fields[6]);

    Position p;
    std::string error = parse_board(fields[0], p);
    if (!error.empty()) return error;
    if (n > 1) {
        if (fields[1] == "b") p.side = BLACK;
        else if (fields[1] != "w") return fault("side to move", fields[1], "expected w or b");
    }
    error = position_fault(p);
    if (!error.empty()) return fault("board", fields[0], error);
    if (n > 2) {
        error = parse_castling(fields[2], p);
        if (!error.empty()) return error;
    }
    int target = NO_SQUARE;
    if (n > 3 && fields[3] != "-") {
        const std::string_view f = fields[3];
        if (f.size() != 2 || f[0] < 'a' || f[0] > 'h' || (f[1] != '3' && f[1] != '6'))
            return fault("en passant", f, "expected - or a square of rank 3 or 6");
        target = (f[0] - 'a') + 8 * (f[1] - '1');
    }
    if (n > 4 && !parse_counter(fields[4], p.halfmove))
        return fault("halfmove clock", fields[4], "expected a number from 0 to 999999999");
    if (n > 5 && !parse_counter(fields[5], p.fullmove))
        return fault("fullmove number", fields[5], "expected a number from 0 to 999999999");
    if (p.fullmove == 0) p.fullmove = 1;  // common in the wild; python-chess reads it so too

    p.key = p.computed_key();
    // A target that no double push can have made is the same as none.
    if (target != NO_SQUARE && rank_of(target) == (p.side == WHITE ? 5 : 2)) {
        const int victim = target ^ 8;
        const int origin = p.side == WHITE ? target + 8 : target - 8;
        if (p.board[victim] == piece_code(p.side ^ 1, PAWN) && !p.board[target] &&
            !p.board[origin])
            p.set_en_passant(target);
    }
    out = p;
    return {};
}

std::string write_epd(const Position& p) {
    std::string text;
    text.reserve(96);
    for (int rank = 7; rank >= 0; --rank) {
        int empty = 0;
        for (int file = 0; file < 8; ++file) {
            const int code = p.board[8 * rank + file];
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
    text += p.side == WHITE ? " w " : " b ";
    append_castling(p, text);
    text += ' ';
    if (p.ep == NO_SQUARE) {
        text += '-';
    } else {
        text += static_cast<char>('a' + file_of(p.ep));
        text += static_cast<char>('1' + rank_of(p.ep));
    }
    return text;
}

std::string write_fen(const Position& p) {
    return write_epd(p) + ' ' + std::to_string(p.halfmove) + ' ' + std::to_string(p.fullmove);
}

}  // namespace tabia::chess
