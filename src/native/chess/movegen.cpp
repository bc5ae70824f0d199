#include "chess/movegen.hpp"

namespace tabia::chess {

bool is_castling_legal(const Position& p, int rook) {
    if (!(p.castling & p.by_color[p.side] & bit(rook))) return false;
    const int us = p.side, them = us ^ 1;
    const int king = p.king(us);
    const int king_to = castled_king(king, rook), rook_to = castled_rook(king, rook);
    const Bitboard king_path = TABLES.between[king][king_to] | bit(king_to);
    const Bitboard rook_path = TABLES.between[rook][rook_to] | bit(rook_to);
    const Bitboard movers = bit(king) | bit(rook);
    const Bitboard others = p.occupied() & ~movers;
    if ((king_path | rook_path) & others) return false;
    // The king may not start on, pass over or land on an attacked square (FIDE 3.8.b; Chess960
    // guidelines II.3). The rook keeps shielding until the king has landed, then stands elsewhere:
    // a rook on a1 or b1 that castles long can uncover an attack along the first rank.
    for (Bitboard path = king_path | bit(king); path;) {
        if (p.attackers(pop_lowest(path), them, p.occupied() ^ bit(king))) return false;
    }
    return !p.attackers(king_to, them, others | bit(king_to) | bit(rook_to));
}

bool leaves_king_safe(const Position& p, int from, int to) {
    const int us = p.side, them = us ^ 1;
    const int king = p.king(us);
    if (from == king) {
        return !(p.attackers(to, them, p.occupied() ^ bit(from)) & ~bit(to));
    }
    Bitboard after = (p.occupied() ^ bit(from)) | bit(to);
    Bitboard taken = bit(to);
    if (to == p.ep && type_of(p.board[from]) == PAWN) {
        taken = bit(to ^ 8);
        after ^= taken;
    }
    return !(p.attackers(king, them, after) & ~taken);
}

namespace {

struct Generator {
    const Position& p;
    MoveList& list;
    const bool first_only;  // stop as soon as one move is known
    int us, them, king;
    Bitboard own, occupied, pinned, target;

    bool done() const { return first_only && list.size; }

    void add_all(int from, Bitboard destinations) {
        while (destinations) list.add(make_move(from, pop_lowest(destinations)));
    }

    void add_pawn(int from, int to) {
        if (bit(to) & (RANK_1 | RANK_8)) {
            for (int type = KNIGHT; type <= QUEEN; ++type) list.add(make_move(from, to, type));
        } else {
            list.add(make_move(from, to));
        }
    }

    void pawns() {
        const int forward = us == WHITE ? 8 : -8;
        const int start_rank = us == WHITE ? 1 : 6;
        const Bitboard enemy = p.by_color[them];
        for (Bitboard b = p.pieces(us, PAWN); b;) {
            const int from = pop_lowest(b);
            const Bitboard allowed = pinned & bit(from) ? target & TABLES.line[king][from] : target;
            const Bitboard takes = TABLES.pawn[us][from];
            for (Bitboard t = takes & enemy & allowed; t;) add_pawn(from, pop_lowest(t));
            const int one = from + forward;
            if (!(occupied & bit(one))) {
                if (allowed & bit(one)) add_pawn(from, one);
                const int two = one + forward;
                if (rank_of(from) == start_rank && !(occupied & bit(two)) && (allowed & bit(two)))
                    list.add(make_move(from, two));
            }
            // `target` does not know that the checking pawn can be taken beside the square.
            if (p.ep != NO_SQUARE && (takes & bit(p.ep)) && leaves_king_safe(p, from, p.ep))
                list.add(make_move(from, p.ep));
        }
    }

    void find_pins() {
        pinned = 0;
        const Bitboard queens = p.by_type[QUEEN];
        Bitboard snipers = p.by_color[them] &
                           ((rook_attacks(king, 0) & (p.by_type[ROOK] | queens)) |
                            (bishop_attacks(king, 0) & (p.by_type[BISHOP] | queens)));
        while (snipers) {
            const Bitboard shield = TABLES.between[king][pop_lowest(snipers)] & occupied;
            if (shield && !more_than_one(shield)) pinned |= shield & own;
        }
    }

    void run() {
        us = p.side;
        them = us ^ 1;
        king = p.king(us);
        own = p.by_color[us];
        occupied = p.occupied();
        const Bitboard checkers = p.attackers(king, them, occupied);

        for (Bitboard b = TABLES.king[king] & ~own; b;) {
            const int to = pop_lowest(b);
            if (!p.attackers(to, them, occupied ^ bit(king))) list.add(make_move(king, to));
            if (done()) return;
        }
        if (more_than_one(checkers)) return;
        target = checkers ? TABLES.between[king][lowest(checkers)] | checkers : ~own;
        find_pins();

        pawns();
        if (done()) return;
        for (int type = KNIGHT; type <= QUEEN; ++type) {
            for (Bitboard b = p.pieces(us, type); b;) {
                const int from = pop_lowest(b);
                Bitboard to = piece_attacks(type, from, occupied) & target & ~own;
                if (pinned & bit(from)) to &= TABLES.line[king][from];
                add_all(from, to);
                if (done()) return;
            }
        }
        if (checkers) return;
        for (Bitboard rooks = p.castling & own; rooks;) {
            const int rook = pop_lowest(rooks);
            if (is_castling_legal(p, rook)) list.add(make_move(king, rook));
        }
    }
};

}  // namespace

void generate_legal(const Position& p, MoveList& list) {
    Generator{p, list, false, 0, 0, 0, 0, 0, 0, 0}.run();
}

bool has_legal_move(const Position& p) {
    MoveList list;
    Generator{p, list, true, 0, 0, 0, 0, 0, 0, 0}.run();
    return list.size != 0;
}

bool is_legal(const Position& p, Move move) {
    const int from = from_of(move), to = to_of(move), us = p.side;
    if (promotion_code(move) > 4 || !(p.by_color[us] & bit(from))) return false;
    const int type = type_of(p.board[from]);
    const bool promotes = type == PAWN && (bit(to) & (RANK_1 | RANK_8));
    if (promotes != (promotion_code(move) != 0)) return false;
    if (p.by_color[us] & bit(to)) return type == KING && is_castling_legal(p, to);
    if (type == PAWN) {
        if (TABLES.pawn[us][from] & bit(to)) {
            if (!p.board[to] && to != p.ep) return false;
        } else {
            const int forward = us == WHITE ? 8 : -8;
            if (p.board[to]) return false;
            if (to != from + forward &&
                !(to == from + 2 * forward && rank_of(from) == (us == WHITE ? 1 : 6) &&
                  !p.board[from + forward]))
                return false;
        }
    } else if (!(piece_attacks(type, from, p.occupied()) & bit(to))) {
        return false;
    }
    return leaves_king_safe(p, from, to);
}

}  // namespace tabia::chess
