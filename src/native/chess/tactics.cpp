#include "chess/tactics.hpp"

#include <algorithm>

#include "chess/movegen.hpp"

namespace tabia::chess {

namespace {

constexpr int VALUE[7] = {0, 1, 3, 3, 5, 9, 10};
constexpr int MAX_EXCHANGE = 33;

// Pieces of both sides that are pinned to their king, and along which line.
struct Pins {
    Bitboard pinned[2] = {};
    int king[2];

    explicit Pins(const Position& p) {
        for (int side : {WHITE, BLACK}) {
            king[side] = p.king(side);
            const Bitboard queens = p.by_type[QUEEN];
            Bitboard snipers =
                p.by_color[side ^ 1] &
                ((rook_attacks(king[side], 0) & (p.by_type[ROOK] | queens)) |
                 (bishop_attacks(king[side], 0) & (p.by_type[BISHOP] | queens)));
            while (snipers) {
                const Bitboard shield =
                    TABLES.between[king[side]][pop_lowest(snipers)] & p.occupied();
                if (shield && !more_than_one(shield)) pinned[side] |= shield & p.by_color[side];
            }
        }
    }

    // Pieces of `side` that may not move to `square`.
    Bitboard held(int side, int square) const {
        return pinned[side] & ~TABLES.line[king[side]][square];
    }
};

int exchange(const Position& p, const Pins& pins, int side, Move move) {
    const int from = from_of(move), to = to_of(move);
    const int type = type_of(p.board[from]);
    Bitboard occupied = p.occupied() & ~bit(from) & ~bit(to);
    int gains[MAX_EXCHANGE];
    gains[0] = VALUE[type_of(p.board[to])];
    int standing = VALUE[type];  // value of the piece on the square
    if (type == PAWN && file_of(from) != file_of(to) && !p.board[to]) {
        occupied &= ~bit(to ^ 8);
        gains[0] = VALUE[PAWN];
    }
    if (promotion_code(move)) {
        standing = VALUE[promotion_of(move)];
        gains[0] += standing - VALUE[PAWN];
    }
    int depth = 0;
    for (int us = side ^ 1;; us ^= 1) {
        const Bitboard takers = p.attackers(to, us, occupied) & occupied & ~pins.held(us, to);
        if (!takers) break;
        int taker = PAWN;
        while (!(takers & p.by_type[taker])) ++taker;
        const Bitboard without = occupied & ~bit(lowest(takers & p.by_type[taker]));
        if (taker == KING &&
            (p.attackers(to, us ^ 1, without) & without & ~pins.held(us ^ 1, to)))
            break;
        ++depth;
        gains[depth] = standing - gains[depth - 1];
        standing = VALUE[taker];
        occupied = without;
    }
    for (; depth; --depth) gains[depth - 1] = -std::max(-gains[depth - 1], gains[depth]);
    return gains[0];
}

struct Option {
    Move move;
    std::int8_t from, to, gain;
    bool takes;
};

// A side's legal moves with their exchange values, castling and under-promotions left out.
struct Options {
    Option list[512];
    int size = 0;
    int legal = 0;
    std::int8_t gain_on[64] = {};  // largest positive gain by target square
    int best = 0;                  // largest gain

    Options(const Position& p, const Pins& pins) {
        const int us = p.side;
        const Bitboard king = p.pieces(us ^ 1, KING);
        MoveList moves;
        generate_legal(p, moves);
        for (Move move : moves) {
            const int from = from_of(move), to = to_of(move);
            if (king & bit(to)) continue;  // only when the mover is in check
            ++legal;
            if (p.by_color[us] & bit(to)) continue;
            if (promotion_code(move) && promotion_of(move) != QUEEN) continue;
            const bool takes = p.board[to] || (to == p.ep && type_of(p.board[from]) == PAWN);
            const int gain = exchange(p, pins, us, move);
            list[size++] = {move, static_cast<std::int8_t>(from), static_cast<std::int8_t>(to),
                            static_cast<std::int8_t>(gain), takes};
            gain_on[to] = std::max(gain_on[to], static_cast<std::int8_t>(gain));
            best = std::max(best, gain);
        }
    }

    const Option* begin() const { return list; }
    const Option* end() const { return list + size; }
};

void raise(std::int32_t& feature, int value) { feature = std::max(feature, value); }

void gains(const Position& p, const Options& own, const Options& other, std::int32_t* out) {
    for (int square = 0; square < 64; ++square) {
        std::int32_t gain = own.gain_on[square];
        for (int rank = GAIN_1; rank <= GAIN_3; ++rank)
            if (gain > out[rank]) std::swap(gain, out[rank]);
    }
    for (const Option& o : own) {
        if (o.takes && o.gain == 0) ++out[EVEN_CAPTURES];
        if (o.gain <= 0) continue;
        if (o.takes) {
            const int victim = p.board[o.to] ? type_of(p.board[o.to]) : int{PAWN};
            raise(out[GAIN_PAWN + victim - PAWN], o.gain);
        }
        if (promotion_code(o.move)) raise(out[GAIN_PROMOTION], o.gain);
        if (other.gain_on[o.from] == 0) raise(out[GAIN_STEADY], o.gain);
    }
    out[GAIN_LEFT] = out[GAIN_1];
    for (const Option& best : other) {
        if (best.gain <= 0 || best.gain < other.best) continue;
        std::int32_t left = 0;
        for (const Option& o : own)
            if (o.from != best.to && o.to != best.from) raise(left, o.gain);
        out[GAIN_LEFT] = std::min(out[GAIN_LEFT], left);
    }
}

void targets(const Position& p, const Options& own, int us, std::int32_t* out) {
    const int them = us ^ 1;
    const Bitboard enemies = p.by_color[them] & ~p.by_type[PAWN];
    for (const Option& o : own) {
        const int moved = type_of(p.board[o.from]);
        const int type = promotion_code(o.move) ? promotion_of(o.move) : moved;
        if (moved == KING) ++out[FLIGHTS];
        if (o.gain >= 0) ++out[SAFE_MOVES];
        const Bitboard occupied = (p.occupied() & ~bit(o.from)) | bit(o.to);
        Bitboard hit = type == PAWN ? TABLES.pawn[us][o.to] : piece_attacks(type, o.to, occupied);
        hit &= enemies & ~bit(o.to);
        if (!hit) continue;
        const bool check = hit & p.by_type[KING];
        out[CHECKS] += check;
        if (o.gain < 0) continue;
        if (check) {
            ++out[SAFE_CHECKS];
            raise(out[CHECK_GAIN], o.gain);
        }
        int first = 0, second = 0;
        while (hit) {
            const int square = pop_lowest(hit);
            const int value = VALUE[type_of(p.board[square])];
            const bool counts = value > VALUE[type] ||
                                !(p.attackers(square, them, occupied) & occupied & ~bit(o.to));
            if (!counts) continue;
            if (value < VALUE[KING]) {
                raise(out[THREAT], value);
                if (check) raise(out[FORK_CHECK], value);
            }
            if (value > first) {
                second = first;
                first = value;
            } else {
                second = std::max(second, value);
            }
        }
        raise(out[FORK], second);
    }
}

void pieces(const Position& p, const Options& own, const Options& other, int us,
            std::int32_t* out) {
    const int them = us ^ 1;
    const Bitboard occupied = p.occupied();
    const Bitboard knights_up = p.by_color[us] & ~p.by_type[PAWN] & ~p.by_type[KING];
    for (Bitboard b = knights_up; b;) {
        const int square = pop_lowest(b);
        const int value = VALUE[type_of(p.board[square])];
        const Bitboard attackers = p.attackers(square, them, occupied);
        if (!attackers) continue;
        if (!p.attackers(square, us, occupied)) out[LOOSE] += value;
        Bitboard lesser = 0;
        for (int type = PAWN; VALUE[type] < value; ++type) lesser |= p.by_type[type];
        if (attackers & lesser) out[OUTGUNNED] += value;
        if (other.gain_on[square] <= out[TRAPPED]) continue;
        const bool escapes = std::any_of(own.begin(), own.end(), [square](const Option& o) {
            return o.from == square && o.gain >= 0;
        });
        if (!escapes) out[TRAPPED] = other.gain_on[square];
    }
    const Bitboard heavy =
        p.by_color[them] & (p.by_type[ROOK] | p.by_type[QUEEN] | p.by_type[KING]);
    Bitboard pinned = 0;
    for (Bitboard b = knights_up & ~p.by_type[KNIGHT]; b;) {
        const int square = pop_lowest(b);
        const int type = type_of(p.board[square]);
        for (Bitboard aims = piece_attacks(type, square, 0) & heavy; aims;) {
            const int aim = pop_lowest(aims);
            const Bitboard shield = TABLES.between[square][aim] & occupied;
            if (!shield || more_than_one(shield)) continue;
            const int value = VALUE[type_of(p.board[aim])];
            if (shield & p.by_color[us]) {
                raise(out[DISCOVERY], value);
            } else if (value > VALUE[type]) {
                pinned |= shield;
            }
        }
    }
    while (pinned) out[PINS] += VALUE[type_of(p.board[pop_lowest(pinned)])];
}

void overloads(const Position& p, int us, std::int32_t* out) {
    int duties[64] = {};  // attacked pieces that hang on this defender alone
    int value[64] = {};
    for (Bitboard b = p.by_color[us] & ~p.by_type[KING]; b;) {
        const int square = pop_lowest(b);
        const Bitboard defenders = p.attackers(square, us, p.occupied());
        if (!defenders || more_than_one(defenders)) continue;
        if (!p.attackers(square, us ^ 1, p.occupied())) continue;
        ++duties[lowest(defenders)];
        value[lowest(defenders)] += VALUE[type_of(p.board[square])];
    }
    for (int square = 0; square < 64; ++square)
        if (duties[square] > 1) out[OVERLOADED] += value[square];
}

void passers(const Position& p, int us, std::int32_t* out) {
    const int them = us ^ 1;
    for (Bitboard b = p.pieces(us, PAWN); b;) {
        const int square = pop_lowest(b);
        const int advanced = us == WHITE ? rank_of(square) - 1 : 6 - rank_of(square);
        const Bitboard ahead = us == WHITE ? ~0ULL << (8 * rank_of(square) + 8)
                                           : (1ULL << (8 * rank_of(square))) - 1;
        const Bitboard file = file_mask(file_of(square));
        const Bitboard beside = ((file & ~FILE_A) >> 1) | ((file << 1) & ~FILE_A);
        if (p.pieces(them, PAWN) & ahead & (file | beside)) continue;
        raise(out[PASSER], advanced);
        bool free = !(p.occupied() & ahead & file);
        for (Bitboard way = ahead & file; free && way;)
            free = !p.attackers(pop_lowest(way), them, p.occupied());
        if (free) raise(out[RUNNER], advanced);
    }
}

void side_features(const Position& p, const Options& own, const Options& other, int us,
                   std::int32_t* out) {
    std::fill_n(out, TACTICS_A_SIDE, 0);
    gains(p, own, other, out);
    targets(p, own, us, out);
    pieces(p, own, other, us, out);
    overloads(p, us, out);
    passers(p, us, out);
    out[MOVES] = own.legal;
}

}  // namespace

int exchange_value(const Position& p, int side, Move move) {
    return exchange(p, Pins(p), side, move);
}

void tactics(const Position& p, std::int32_t* out) {
    Position turned = p;  // the other side to move; its key is not kept in step
    turned.side ^= 1;
    turned.ep = NO_SQUARE;
    const Pins pins(p);
    const Options mover(p, pins), opponent(turned, pins);
    side_features(p, mover, opponent, p.side, out);
    side_features(p, opponent, mover, turned.side, out + TACTICS_A_SIDE);
    out[TACTICS - 1] = p.is_check();
}

}  // namespace tabia::chess
