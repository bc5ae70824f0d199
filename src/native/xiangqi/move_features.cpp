#include "xiangqi/move_features.hpp"

#include <algorithm>
#include <cstdlib>

#include "xiangqi/exchange.hpp"
#include "xiangqi/movegen.hpp"
#include "xiangqi/pack.hpp"

namespace tabia::xiangqi {
namespace {

constexpr int LAST_SQUARE = SQUARES - 1;
constexpr Bitboard PALACE[2] = {
    Bitboard{7} << 3 | Bitboard{7} << 12 | Bitboard{7} << 21,
    Bitboard{7} << 66 | Bitboard{7} << 75 | Bitboard{7} << 84,
};

// The position with Red to move: turned by half, colours exchanged, if Black is. No key.
Position turned_to_mover(const Position& p) {
    if (p.side == RED) return p;
    Position turned;
    for (Bitboard b = p.occupied(); b;) {
        const int square = pop_lowest(b), code = p.board[square];
        turned.put(LAST_SQUARE - square, piece_code(color_of(code) ^ 1, type_of(code)));
    }
    return turned;
}

Move turned_code(Move code) { return static_cast<Move>(MOVE_CODES - 1 - code); }

int steps(int a, int b) {
    return std::max(std::abs(file_of(a) - file_of(b)), std::abs(rank_of(a) - rank_of(b)));
}

int centre_distance(int square) { return std::abs(file_of(square) - FILES / 2); }

// What one side attacks: squares that a piece of the other side, or an own one, could be taken on.
struct Attacks {
    Bitboard all = 0;
    Bitboard lesser[8] = {};  // [kind]: by pieces of lesser kinds
    int mobility = 0;

    Attacks(const Position& p, int color) {
        const Bitboard occupied = p.occupied(), free = ~p.by_color[color];
        const auto each = [&](int type, auto&& squares) {
            for (Bitboard b = p.pieces(color, type); b;) all |= squares(pop_lowest(b));
        };
        each(PAWN, [&](int s) { return TABLES.pawn[color][s]; });
        lesser[ADVISOR] = lesser[ELEPHANT] = all;
        each(ADVISOR, [&](int s) { return TABLES.advisor[color][s]; });
        each(ELEPHANT,
             [&](int s) { return TABLES.elephant[color][s][eye_index(s, occupied)]; });
        lesser[HORSE] = all;
        each(HORSE, [&](int s) {
            const Bitboard to = TABLES.horse[s][leg_index(s, occupied)];
            mobility += count(to & free);
            return to;
        });
        lesser[CANNON] = all;
        each(CANNON, [&](int s) {
            const Reach line = lines(s, occupied);
            mobility += count(((line.reach & ~occupied) | line.jump) & free);
            // Empty squares between the screen and the next piece too: whoever went there could
            // be taken.
            return lines(s, occupied & ~line.reach).reach & ~line.reach;
        });
        lesser[ROOK] = all;
        each(ROOK, [&](int s) {
            const Bitboard to = lines(s, occupied).reach;
            mobility += count(to & free);
            return to;
        });
        each(KING, [&](int s) { return TABLES.king[s]; });
    }
};

// Pieces of a colour, its king aside, that are threatened.
Bitboard threatened(const Position& p, int color, const Attacks& others, const Attacks& own) {
    Bitboard found = p.by_color[color] & ~p.by_type[KING] & others.all & ~own.all;
    for (int type = ADVISOR; type <= CANNON; ++type)
        found |= p.pieces(color, type) & others.lesser[type];
    return found;
}

int material(const Position& p, int color) {
    int sum = 0;
    for (Bitboard b = p.by_color[color]; b;) {
        const int square = pop_lowest(b);
        sum += half_points(color, type_of(p.board[square]), square);
    }
    return sum;
}

float points(int half) { return static_cast<float>(half) / 2; }

struct Capture {
    Move move;
    std::uint8_t most;  // value of what is taken: no exchange wins more than its first capture
};

// What `side` can take, its king's safety and the other king aside; the most valuable first.
struct Captures {
    Capture list[128];
    int size = 0;

    Captures(const Position& p, int side) {
        const Bitboard targets = p.by_color[side ^ 1] & ~p.by_type[KING];
        for (Bitboard pieces = p.by_color[side]; pieces;) {
            const int from = pop_lowest(pieces);
            Bitboard b = piece_moves(side, type_of(p.board[from]), from, p.occupied()) & targets;
            while (b) {
                const int to = pop_lowest(b);
                const int value = half_points(side ^ 1, type_of(p.board[to]), to);
                list[size++] = {make_move(from, to), static_cast<std::uint8_t>(value)};
            }
        }
        std::sort(list, list + size, [](const Capture& x, const Capture& y) {
            return x.most != y.most ? x.most > y.most : x.move < y.move;
        });
    }
};

// The largest exchange value, if positive, of the legal captures of the side to move; on each
// square too where `on` is given.
int best_capture(const Position& p, int* on) {
    const Captures captures(p, p.side);
    if (!captures.size) return 0;
    const Exchanges exchanges(p);
    int best = 0;
    for (int i = 0; i < captures.size; ++i) {
        const auto [move, most] = captures.list[i];
        const int to = to_of(move);
        if (most <= (on ? on[to] : best) || !is_legal(p, move)) continue;
        const int value = exchanges.value(p.side, move);
        best = std::max(best, value);
        if (on) on[to] = std::max(on[to], value);
    }
    return best;
}

// The same for the side that is not to move, were it to move.
int best_capture_if_passed(const Position& p, int* on) {
    Position passed = p;
    passed.side ^= 1;
    return best_capture(passed, on);
}

class Writer {
  public:
    Writer(const Position& p, const std::int32_t* previous)
        : p_(p), exchanges_(p), own_(p, RED), other_(p, BLACK) {
        hanging_ = best_capture_if_passed(p, hanging_on_);
        threatened_own_ = threatened(p, RED, other_, own_);
        threatened_other_ = threatened(p, BLACK, own_, other_);
        in_check_ = p.is_check();
        legal_ = count_legal(p);
        const int mine = material(p, RED), theirs = material(p, BLACK);
        balance_ = mine - theirs;
        material_ = mine + theirs;
        for (const int i : {0, 1}) last_[i] = previous[i];
    }

    void write(Move move, float* row) const {
        const int from = from_of(move), to = to_of(move);
        const int type = type_of(p_.board[from]), taken = p_.board[to];
        Position after = p_;
        after.play(move);
        const Attacks own(after, RED), other(after, BLACK);
        const auto set = [row](int feature, int value) { row[feature] = static_cast<float>(value); };

        set(PIECE, type);
        set(CAPTURED, taken ? type_of(taken) : 0);
        row[CAPTURED_VALUE] = points(taken ? half_points(BLACK, type_of(taken), to) : 0);
        row[EXCHANGE] = points(exchanges_.value(RED, move));

        const Bitboard at_from = attackers(p_, from, BLACK, p_.occupied());
        set(ATTACKERS_BEFORE, count(at_from));
        set(DEFENDERS_BEFORE, count(attackers(p_, from, RED, p_.occupied())));
        set(ATTACKERS_AFTER, count(attackers(after, to, BLACK, after.occupied())));
        set(DEFENDERS_AFTER, count(attackers(after, to, RED, after.occupied())));
        row[HANGING_BEFORE] = points(hanging_);
        row[HANGING_FROM] = points(hanging_on_[from]);
        row[HANGING_AFTER] = points(best_capture(after, nullptr));
        set(THREATENED_CHANGE,
            count(threatened(after, RED, other, own)) - count(threatened_own_));

        set(IN_CHECK, in_check_);
        set(GIVES_CHECK, after.is_check());
        set(REPLIES, count_legal(after));
        const Bitboard targets = after.by_color[BLACK] & ~after.by_type[KING];
        set(NEW_ATTACKS, count(targets & own.all & ~own_.all));
        int best = 0;
        for (Bitboard b = threatened(after, BLACK, own, other) & ~threatened_other_; b;) {
            const int square = pop_lowest(b);
            best = std::max(best, half_points(BLACK, type_of(after.board[square]), square));
        }
        row[NEW_THREAT] = points(best);

        row[FOLLOW_UP] = points(best_capture_if_passed(after, nullptr));

        const int last_to = last_[0] < 0 ? NO_SQUARE : to_of(static_cast<Move>(last_[0]));
        set(TAKES_LAST_MOVED, taken && to == last_to);
        set(ATTACKED_BY_LAST, last_to != NO_SQUARE && has(at_from, last_to));
        set(LAST_DISTANCE, last_to == NO_SQUARE ? -1 : steps(to, last_to));
        const int own_last_to = last_[1] < 0 ? NO_SQUARE : to_of(static_cast<Move>(last_[1]));
        const bool again = from == own_last_to;
        set(OWN_LAST_DISTANCE, own_last_to == NO_SQUARE ? -1 : steps(to, own_last_to));
        set(MOVES_LAST_MOVED, again);
        set(TAKES_BACK, again && to == from_of(static_cast<Move>(last_[1])));

        const auto reach = [type](const Position& p, int square) {
            return count(piece_moves(RED, type, square, p.occupied()) & ~p.by_color[RED]);
        };
        set(MOBILITY_MOVED, reach(after, to) - reach(p_, from));
        set(MOBILITY_CHANGE, own.mobility - own_.mobility);
        set(OPPONENT_MOBILITY_CHANGE, other.mobility - other_.mobility);
        set(KING_ZONE_CHANGE,
            count(own.all & PALACE[BLACK]) - count(own_.all & PALACE[BLACK]));
        set(OWN_ZONE_CHANGE, count(other.all & PALACE[RED]) - count(other_.all & PALACE[RED]));

        set(FROM_ROW, rank_of(from));
        set(FROM_COLUMN, file_of(from));
        set(TO_ROW, rank_of(to));
        set(TO_COLUMN, file_of(to));
        set(ADVANCE, rank_of(to) - rank_of(from));
        set(SIDEWAYS, std::abs(file_of(to) - file_of(from)));
        set(CENTRE_DISTANCE, centre_distance(to));
        set(CENTRE_GAIN, centre_distance(from) - centre_distance(to));
        const int king = p_.king(BLACK);
        set(KING_DISTANCE, steps(to, king));
        set(KING_APPROACH, steps(from, king) - steps(to, king));
        set(OWN_KING_DISTANCE, steps(to, after.king(RED)));
        set(FROM_HOME, p_.board[from] == START.board[from]);
        set(LEGAL_MOVES, legal_);
        row[BALANCE] = points(balance_);
        row[MATERIAL] = points(material_);
    }

  private:
    const Position& p_;
    const Exchanges exchanges_;
    const Attacks own_, other_;
    Bitboard threatened_own_, threatened_other_;
    int hanging_on_[SQUARES] = {};
    int hanging_, legal_, balance_, material_;
    bool in_check_;
    std::int32_t last_[2];
};

}  // namespace

std::string move_features(const std::uint8_t* packed, const Move* moves, int n,
                          const std::int32_t* previous, float* out) {
    Position given;
    std::string fault = unpack(packed, given);
    if (!fault.empty()) return "the board is no position: " + fault;
    const bool turn = given.side == BLACK;
    const Position p = turned_to_mover(given);
    std::int32_t last[2];
    for (const int i : {0, 1}) {
        const std::int32_t code = previous[i];
        if (code < -1 || code >= MOVE_CODES)
            return "previous move " + std::to_string(code) + " is neither a code nor -1";
        last[i] = turn && code >= 0 ? turned_code(static_cast<Move>(code)) : code;
    }
    const Writer writer(p, last);
    for (int i = 0; i < n; ++i) {
        const Move move = turn && moves[i] < MOVE_CODES ? turned_code(moves[i]) : moves[i];
        if (!is_legal(p, move)) return "move " + std::to_string(moves[i]) + " is not legal";
        writer.write(move, out + static_cast<std::int64_t>(i) * MOVE_FEATURES);
    }
    compare_moves(out, n, MOVE_FEATURES);
    return {};
}

}  // namespace tabia::xiangqi
