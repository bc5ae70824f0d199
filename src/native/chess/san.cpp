#include "chess/san.hpp"

#include "chess/movegen.hpp"

namespace tabia::chess {
namespace {

constexpr char TYPE_LETTERS[] = " PNBRQK";
constexpr const char* TYPE_NAMES[] = {"piece", "pawn", "knight", "bishop", "rook", "queen", "king"};

constexpr bool is_file(char c) { return c >= 'a' && c <= 'h'; }
constexpr bool is_rank(char c) { return c >= '1' && c <= '8'; }

constexpr int piece_of_letter(char c) {
    switch (c) {
        case 'N': return KNIGHT;
        case 'B': return BISHOP;
        case 'R': return ROOK;
        case 'Q': return QUEEN;
        case 'K': return KING;
        default: return NO_TYPE;
    }
}

constexpr int promotion_of_letter(char c) {
    switch (c) {
        case 'N': case 'n': return KNIGHT;
        case 'B': case 'b': return BISHOP;
        case 'R': case 'r': return ROOK;
        case 'Q': case 'q': return QUEEN;
        default: return NO_TYPE;
    }
}

SanResult castle(const Position& p, bool king_side) {
    SanResult result;
    result.status = SanStatus::ILLEGAL;
    result.type = KING;
    result.castling = true;
    const int king = p.king(p.side);
    Bitboard rooks = p.castling & p.by_color[p.side];
    while (rooks) {
        const int rook = pop_lowest(rooks);
        if ((rook > king) != king_side || !is_castling_legal(p, rook)) continue;
        result.status = SanStatus::LEGAL;
        result.move = make_move(king, rook);
    }
    return result;
}

// O-O, O-O-O, with o and 0 too. Returns 2 or 3, or 0 when it is not castling.
int count_castling(const char* s, const char* e) {
    const auto is_o = [](char c) { return c == 'O' || c == 'o' || c == '0'; };
    const auto n = e - s;
    if ((n != 3 && n != 5) || !is_o(s[0]) || s[1] != '-' || !is_o(s[2])) return 0;
    if (n == 3) return 2;
    return s[3] == '-' && is_o(s[4]) ? 3 : 0;
}

void choose(const Position& p, SanResult& result, Bitboard candidates, int promotion) {
    const int to = result.to;
    Bitboard legal = 0;
    while (candidates) {
        const int from = pop_lowest(candidates);
        if (leaves_king_safe(p, from, to)) legal |= bit(from);
    }
    if (!legal) return;  // status is ILLEGAL already
    if (more_than_one(legal)) {
        result.status = SanStatus::AMBIGUOUS;
        result.candidates = legal;
        return;
    }
    result.status = SanStatus::LEGAL;
    result.move = make_move(lowest(legal), to, promotion);
}

}  // namespace

SanResult read_san(const Position& p, std::string_view token) {
    SanResult result;
    const char* s = token.data();
    const char* e = s + token.size();
    while (e > s && (e[-1] == '+' || e[-1] == '#' || e[-1] == '!' || e[-1] == '?')) --e;
    if (e - s < 2) return result;

    int type = PAWN;
    bool has_letter = false;
    if (!is_file(*s)) {
        if (const int letter = piece_of_letter(*s)) {
            type = letter;
            has_letter = true;
            ++s;
        } else if (*s == 'P') {
            has_letter = true;
            ++s;
        } else {
            const int castling = count_castling(s, e);
            if (castling) return castle(p, castling == 2);
            const std::string_view rest(s, static_cast<std::size_t>(e - s));
            if (rest == "--" || rest == "Z0" || rest == "@@@@")
                result.status = SanStatus::NULL_MOVE;
            return result;
        }
    }

    // From the end: e.p., promotion, goal square.
    if (e - s > 4 && e[-1] == '.' && e[-2] == 'p' && e[-3] == '.' && e[-4] == 'e') {
        e -= 4;
    } else if (e - s > 4 && e[-1] == 'p' && e[-2] == 'e') {
        e -= 2;
    }
    int promotion = NO_TYPE;
    if (e - s > 2 && !is_rank(e[-1])) {
        const char* q = e;
        const bool bracket = q[-1] == ')';
        if (bracket) --q;
        promotion = promotion_of_letter(q[-1]);
        if (!promotion) return result;
        --q;
        if (q > s && (bracket ? q[-1] == '(' : q[-1] == '=' || q[-1] == '/')) --q;
        else if (bracket) return result;
        e = q;
    }
    if (e - s < 2 || !is_rank(e[-1]) || !is_file(e[-2])) return result;
    const int to = (e[-2] - 'a') + 8 * (e[-1] - '1');
    e -= 2;

    // What is left says where from: file, rank, both or nothing, then x, : or -.
    if (e > s && (e[-1] == 'x' || e[-1] == '-' || e[-1] == ':')) --e;
    Bitboard origin = ~0ULL;
    int from_file = -1;
    bool full_origin = false;
    if (e > s && is_file(*s)) {
        from_file = *s - 'a';
        origin &= file_mask(from_file);
        ++s;
        full_origin = true;
    }
    if (e > s && is_rank(*s)) {
        origin &= rank_mask(*s - '1');
        ++s;
    } else {
        full_origin = false;
    }
    if (s != e) return result;

    const int us = p.side;
    const Bitboard own = p.by_color[us];
    if (full_origin) {
        const int from = lowest(origin);
        if (!has_letter && (own & origin)) type = type_of(p.board[from]);
        // Coordinates of castling: the king two files or more along its rank, or onto its rook.
        if (type == KING && (own & origin & p.by_type[KING]) && rank_of(from) == rank_of(to)) {
            if (own & p.castling & bit(to)) {
                result = castle(p, to > from);
                if (result.move != NO_MOVE && to_of(result.move) != to) result = SanResult{};
                return result;
            }
            const int files = to > from ? to - from : from - to;
            if (files >= 2 && (file_of(to) == 6 || file_of(to) == 2)) return castle(p, to > from);
        }
    }

    result.status = SanStatus::ILLEGAL;
    result.type = static_cast<std::uint8_t>(type);
    result.to = static_cast<std::uint8_t>(to);
    if (own & bit(to)) return result;
    const bool last_rank = bit(to) & (RANK_1 | RANK_8);
    if (type != PAWN) {
        if (promotion) return result;
        choose(p, result, piece_attacks(type, to, p.occupied()) & own & p.by_type[type] & origin,
               NO_TYPE);
        return result;
    }
    if ((promotion != NO_TYPE) != last_rank) return result;
    const Bitboard pawns = own & p.by_type[PAWN] & origin;
    if (from_file >= 0 && from_file != file_of(to)) {
        if (!p.board[to] && to != p.ep) return result;
        choose(p, result, TABLES.pawn[us ^ 1][to] & pawns, promotion);
        return result;
    }
    // A pawn without its file only pushes: `ed5` and `d5` are different moves.
    if (p.board[to]) return result;
    const int back = us == WHITE ? -8 : 8;
    const int one = to + back;
    if (one < 0 || one > 63) return result;
    if (p.board[one]) {
        choose(p, result, pawns & bit(one), promotion);
    } else if (rank_of(to) == (us == WHITE ? 3 : 4)) {
        choose(p, result, pawns & bit(one + back), promotion);
    }
    return result;
}

std::string explain(const SanResult& result) {
    const auto name = [](int square) {
        return std::string{static_cast<char>('a' + file_of(square)),
                           static_cast<char>('1' + rank_of(square))};
    };
    switch (result.status) {
        case SanStatus::LEGAL: return "legal";
        case SanStatus::SYNTAX: return "not a move";
        case SanStatus::NULL_MOVE: return "a null move is not a move of the game";
        case SanStatus::AMBIGUOUS: {
            std::string text;
            for (Bitboard b = result.candidates; b;) {
                if (!text.empty()) text += " and ";
                text += name(pop_lowest(b));
            }
            return std::string(TYPE_NAMES[result.type]) + "s on " + text + " can both move to " +
                   name(result.to);
        }
        case SanStatus::ILLEGAL: break;
    }
    if (result.castling) return "castling is not legal";
    return std::string("no legal ") + TYPE_NAMES[result.type] + " move to " + name(result.to);
}

std::string write_san(const Position& p, Move move) {
    const int from = from_of(move), to = to_of(move);
    const int type = type_of(p.board[from]);
    std::string text;
    if (is_castling(p, move)) {
        text = to > from ? "O-O" : "O-O-O";
    } else {
        const bool takes = p.board[to] || (type == PAWN && to == p.ep);
        if (type == PAWN) {
            if (takes) text += static_cast<char>('a' + file_of(from));
        } else {
            text += TYPE_LETTERS[type];
            Bitboard rivals = type == KING ? 0
                                           : piece_attacks(type, to, p.occupied()) &
                                                 p.pieces(p.side, type) & ~bit(from);
            bool any = false, same_file = false, same_rank = false;
            while (rivals) {
                const int rival = pop_lowest(rivals);
                if (!leaves_king_safe(p, rival, to)) continue;
                any = true;
                same_file |= file_of(rival) == file_of(from);
                same_rank |= rank_of(rival) == rank_of(from);
            }
            // PGN standard 8.2.3.4: the file if that tells them apart, else the rank, else both.
            if (any && (!same_file || same_rank)) text += static_cast<char>('a' + file_of(from));
            if (same_file) text += static_cast<char>('1' + rank_of(from));
        }
        if (takes) text += 'x';
        text += static_cast<char>('a' + file_of(to));
        text += static_cast<char>('1' + rank_of(to));
        if (promotion_code(move)) {
            text += '=';
            text += TYPE_LETTERS[promotion_of(move)];
        }
    }
    Position next = p;
    next.play(move);
    if (next.is_check()) text += has_legal_move(next) ? '+' : '#';
    return text;
}

std::string write_uci(Move code) {
    if (code == NO_MOVE) return "0000";
    const int from = from_of(code), to = to_of(code);
    std::string text{static_cast<char>('a' + file_of(from)), static_cast<char>('1' + rank_of(from)),
                     static_cast<char>('a' + file_of(to)), static_cast<char>('1' + rank_of(to))};
    const int promotion = promotion_code(code);
    if (promotion) text += promotion <= 4 ? " nbrq"[promotion] : '?';
    return text;
}

Move read_uci(std::string_view text) {
    if (text.size() != 4 && text.size() != 5) return NO_MOVE;
    if (!is_file(text[0]) || !is_rank(text[1]) || !is_file(text[2]) || !is_rank(text[3]))
        return NO_MOVE;
    int promotion = NO_TYPE;
    if (text.size() == 5) {
        promotion = text[4] >= 'a' ? promotion_of_letter(text[4]) : NO_TYPE;
        if (!promotion) return NO_MOVE;
    }
    const int from = (text[0] - 'a') + 8 * (text[1] - '1');
    const int to = (text[2] - 'a') + 8 * (text[3] - '1');
    return from == to ? NO_MOVE : make_move(from, to, promotion);
}

}  // namespace tabia::chess
