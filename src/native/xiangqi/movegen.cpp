#include "xiangqi/movegen.hpp"

namespace tabia::xiangqi {
namespace {

// What one enemy piece demands of a move that is not the king's.
struct Demand {
    Bitboard others;  // where every piece but a guard may go
    Bitboard guards;  // own pieces that keep the enemy piece from attacking, or let it attack
    Bitboard theirs;  // where those may go
};

// Which moves of other pieces leave the king safe, without trying them: a move is good exactly if
// it meets the demand of every enemy piece that attacks the king, or would do so with one piece
// more or fewer on its way. A capture leaves its square occupied, so it changes nothing for anybody
// but the piece that is gone.
class Demands {
  public:
    Demands(const Position& p, int king, Bitboard own, Bitboard occupied)
        : free_(~own), target_(~own) {
        const int them = p.side ^ 1;
        const Bitboard theirs = p.by_color[them];
        Bitboard snipers = TABLES.cross[king] & theirs &
                           (p.by_type[ROOK] | p.by_type[CANNON] | p.by_type[KING]);
        while (snipers) {
            const int sniper = pop_lowest(snipers);
            const Bitboard way = TABLES.between[king][sniper];
            const Bitboard shield = way & occupied;
            // Stays on the way, which changes nothing, or takes the sniper.
            const Bitboard stay = (way & ~shield) | bit(sniper);
            const bool is_two = more_than_one(shield);
            if (p.board[sniper] != piece_code(them, CANNON)) {
                if (!shield) everyone(stay);
                else if (!is_two) guards(shield & own, stay);
            } else if (!shield) {
                everyone(~way);
            } else if (!is_two) {
                add({stay, shield & own, ~way});
            } else if (!more_than_one(shield & (shield - 1))) {
                guards(shield & own, stay);
            }
        }
        for (Bitboard b = TABLES.horse_ring[king] & theirs & p.by_type[HORSE]; b;) {
            const int horse = pop_lowest(b);
            const Bitboard leg = bit(TABLES.leg[horse][king]);
            if (!(leg & occupied)) everyone(leg | bit(horse));
            else guards(leg & own, bit(horse));
        }
        for (Bitboard b = TABLES.pawn_from[them][king] & theirs & p.by_type[PAWN]; b;)
            everyone(bit(pop_lowest(b)));
    }

    // Squares without an own piece that the piece on `from` may enter for its king's sake.
    Bitboard allowed(int from) const {
        if (!has(guarding_, from)) return target_;
        Bitboard squares = free_;
        for (int i = 0; i < size_; ++i)
            squares &= has(demands_[i].guards, from) ? demands_[i].theirs : demands_[i].others;
        return squares;
    }

  private:
    void everyone(Bitboard squares) { add({squares, 0, 0}); }
    void guards(Bitboard pieces, Bitboard squares) {
        if (pieces) add({ALL, pieces, squares});
    }
    void add(const Demand& demand) {
        demands_[size_++] = demand;
        target_ &= demand.others;
        guarding_ |= demand.guards;
    }

    Bitboard free_;          // squares without an own piece
    Bitboard target_;        // where a piece that is no guard may go
    Bitboard guarding_ = 0;  // the guards of all demands
    int size_ = 0;
    Demand demands_[10];  // two rooks, two cannons and a king on the lines, two horses, three pawns
};

// Calls sink(from, destinations) for every piece; the sink returns true to stop.
template <typename Sink>
void for_each_piece(const Position& p, Sink&& sink) {
    const int us = p.side, them = us ^ 1;
    const int king = p.king(us);
    const Bitboard own = p.by_color[us], occupied = p.occupied();

    Bitboard king_moves = TABLES.king[king] & ~own;
    for (Bitboard b = king_moves; b;) {
        const int to = pop_lowest(b);
        if (p.king_attackers(to, them, occupied ^ bit(king))) king_moves ^= bit(to);
    }
    if (sink(king, king_moves)) return;

    const Demands demands(p, king, own, occupied);
    for (Bitboard b = own & p.by_type[ROOK]; b;) {
        const int from = pop_lowest(b);
        if (sink(from, lines(from, occupied).reach & demands.allowed(from))) return;
    }
    for (Bitboard b = own & p.by_type[CANNON]; b;) {
        const int from = pop_lowest(b);
        const Reach line = lines(from, occupied);
        if (sink(from, ((line.reach & ~occupied) | line.jump) & demands.allowed(from))) return;
    }
    for (Bitboard b = own & p.by_type[HORSE]; b;) {
        const int from = pop_lowest(b);
        if (sink(from, TABLES.horse[from][leg_index(from, occupied)] & demands.allowed(from)))
            return;
    }
    for (Bitboard b = own & p.by_type[PAWN]; b;) {
        const int from = pop_lowest(b);
        if (sink(from, TABLES.pawn[us][from] & demands.allowed(from))) return;
    }
    for (Bitboard b = own & p.by_type[ELEPHANT]; b;) {
        const int from = pop_lowest(b);
        const Bitboard reach = TABLES.elephant[us][from][eye_index(from, occupied)];
        if (sink(from, reach & demands.allowed(from))) return;
    }
    for (Bitboard b = own & p.by_type[ADVISOR]; b;) {
        const int from = pop_lowest(b);
        if (sink(from, TABLES.advisor[us][from] & demands.allowed(from))) return;
    }
}

}  // namespace

void generate_legal(const Position& p, MoveList& list) {
    for_each_piece(p, [&list](int from, Bitboard destinations) {
        while (destinations) list.add(make_move(from, pop_lowest(destinations)));
        return false;
    });
}

int count_legal(const Position& p) {
    int moves = 0;
    for_each_piece(p, [&moves](int, Bitboard destinations) {
        moves += count(destinations);
        return false;
    });
    return moves;
}

bool has_legal_move(const Position& p) {
    bool found = false;
    for_each_piece(p, [&found](int, Bitboard destinations) { return found = destinations != 0; });
    return found;
}

bool is_legal(const Position& p, Move move) {
    if (move >= MOVE_CODES) return false;
    const int from = from_of(move), to = to_of(move), us = p.side, them = us ^ 1;
    const Bitboard own = p.by_color[us];
    if (!has(own, from) || has(own, to)) return false;
    const Bitboard occupied = p.occupied();
    const int type = type_of(p.board[from]);
    if (!has(piece_moves(us, type, from, occupied), to)) return false;
    if (type == KING) return !p.king_attackers(to, them, occupied ^ bit(from));
    const Bitboard after = (occupied ^ bit(from)) | bit(to);
    return !(p.king_attackers(p.king(us), them, after) & ~bit(to));
}

}  // namespace tabia::xiangqi
