#include "chess/move_features.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "chess/movegen.hpp"
#include "chess/pack.hpp"
#include "chess/tactics.hpp"

namespace tabia::chess {
namespace {

constexpr int VALUE[7] = {0, 1, 3, 3, 5, 9, 0};
constexpr Move TURNED = 56 | 56 << 6;

// The position with White to move: reflected, colours exchanged, if Black is. No key.
Position turned_to_mover(const Position& p) {
    if (p.side == WHITE) return p;
    Position turned;
    for (Bitboard b = p.occupied(); b;) {
        const int square = pop_lowest(b), code = p.board[square];
        turned.put(square ^ 56, piece_code(color_of(code) ^ 1, type_of(code)));
    }
    for (Bitboard b = p.castling; b;) turned.castling |= bit(pop_lowest(b) ^ 56);
    if (p.ep != NO_SQUARE) turned.ep = p.ep ^ 56;
    return turned;
}

int steps(int a, int b) {
    return std::max(std::abs(file_of(a) - file_of(b)), std::abs(rank_of(a) - rank_of(b)));
}

int centre_distance(int square) {
    const int wide = std::abs(2 * file_of(square) - 7), high = std::abs(2 * rank_of(square) - 7);
    return std::max(wide, high) / 2;
}

Bitboard zone(const Position& p, int color) {
    const int king = p.king(color);
    return TABLES.king[king] | bit(king);
}

// What one side attacks, whoever stands there.
struct Attacks {
    Bitboard all = 0;
    Bitboard lesser[7] = {};  // [kind]: by pieces of lesser value
    int mobility = 0;

    Attacks(const Position& p, int color) {
        for (Bitboard b = p.pieces(color, PAWN); b;) all |= TABLES.pawn[color][pop_lowest(b)];
        for (int type = KNIGHT; type <= QUEEN; ++type) {
            lesser[type] = type == BISHOP ? lesser[KNIGHT] : all;
            for (Bitboard b = p.pieces(color, type); b;) {
                const Bitboard to = piece_attacks(type, pop_lowest(b), p.occupied());
                mobility += std::popcount(to & ~p.by_color[color]);
                all |= to;
            }
        }
        all |= TABLES.king[p.king(color)];
    }
};

// Pieces of a colour, its king aside, that are threatened.
Bitboard threatened(const Position& p, int color, const Attacks& others, const Attacks& own) {
    Bitboard found = p.by_color[color] & ~p.by_type[KING] & others.all & ~own.all;
    for (int type = KNIGHT; type <= QUEEN; ++type)
        found |= p.pieces(color, type) & others.lesser[type];
    return found;
}

int material(const Position& p, int color) {
    int sum = 0;
    for (int type = PAWN; type <= QUEEN; ++type)
        sum += VALUE[type] * std::popcount(p.pieces(color, type));
    return sum;
}

// White's pawns one or two rows before its king, on the king's file and those beside it.
int shelter(const Position& p) {
    const int king = p.king(WHITE);
    const Bitboard before = (TABLES.king[king] << 8 | TABLES.king[king]) &
                            ~((bit(king & 56) << 8) - 1);
    return std::popcount(before & p.pieces(WHITE, PAWN));
}

bool is_passed(const Position& p, int square) {
    const Bitboard file = file_mask(file_of(square));
    const Bitboard beside = ((file & ~FILE_A) >> 1) | ((file << 1) & ~FILE_A);
    const Bitboard ahead = ~0ULL << 8 * rank_of(square) << 8;
    return !(p.pieces(BLACK, PAWN) & ahead & (file | beside));
}

// Square of what a move that does not castle takes, NO_SQUARE if it takes nothing.
int taken_on(const Position& p, Move move) {
    const int to = to_of(move);
    if (p.board[to]) return to;
    return to == p.ep && type_of(p.board[from_of(move)]) == PAWN ? to ^ 8 : NO_SQUARE;
}

// The largest exchange value, if positive, of the captures among `moves` of the side to move; by
// square of what is taken too where `on` is given.
int best_capture(const Position& p, const MoveList& moves, int* on) {
    int best = 0;
    for (const Move move : moves) {
        if (is_castling(p, move)) continue;
        const int square = taken_on(p, move);
        if (square == NO_SQUARE || type_of(p.board[square]) == KING) continue;
        // No exchange wins more than its first capture.
        int most = VALUE[type_of(p.board[square])];
        if (promotion_code(move)) most += VALUE[promotion_of(move)] - VALUE[PAWN];
        if (most <= (on ? on[square] : best)) continue;
        const int value = exchange_value(p, p.side, move);
        best = std::max(best, value);
        if (on) on[square] = std::max(on[square], value);
    }
    return best;
}

// The same for the side that is not to move, were it to move.
int best_capture_if_passed(const Position& p, int* on) {
    Position passed = p;
    passed.side ^= 1;
    passed.ep = NO_SQUARE;
    MoveList moves;
    generate_legal(passed, moves);
    return best_capture(passed, moves, on);
}

class Writer {
  public:
    Writer(const Position& p, const std::int32_t* previous)
        : p_(p), own_(p, WHITE), other_(p, BLACK) {
        hanging_ = best_capture_if_passed(p, hanging_on_);
        threatened_own_ = threatened(p, WHITE, other_, own_);
        threatened_other_ = threatened(p, BLACK, own_, other_);
        in_check_ = p.is_check();
        MoveList moves;
        generate_legal(p, moves);
        legal_ = moves.size;
        const int mine = material(p, WHITE), theirs = material(p, BLACK);
        balance_ = mine - theirs;
        material_ = mine + theirs;
        shelter_ = shelter(p);
        own_zone_attacked_ = std::popcount(other_.all & zone(p, WHITE));
        king_zone_attacked_ = std::popcount(own_.all & zone(p, BLACK));
        for (const int i : {0, 1}) last_[i] = previous[i];
    }

    // A legal move, castling as king takes rook.
    void write(Move move, float* row) const {
        const bool castles = is_castling(p_, move);
        const int from = from_of(move), type = type_of(p_.board[from]);
        const int to = castles ? castled_king(from, to_of(move)) : to_of(move);
        const int on = castles ? NO_SQUARE : taken_on(p_, move);
        const int taken = on == NO_SQUARE ? int{NO_TYPE} : type_of(p_.board[on]);
        Position after = p_;
        after.play(move);
        const Attacks own(after, WHITE), other(after, BLACK);
        MoveList replies;
        generate_legal(after, replies);
        const auto set = [row](int feature, int value) { row[feature] = static_cast<float>(value); };
        const auto number = [](Bitboard b) { return std::popcount(b); };

        set(PIECE, type);
        set(CAPTURED, taken);
        set(CAPTURED_VALUE, VALUE[taken]);
        set(EXCHANGE, castles ? 0 : exchange_value(p_, WHITE, move));

        const Bitboard at_from = p_.attackers(from, BLACK, p_.occupied());
        set(ATTACKERS_BEFORE, number(at_from));
        set(DEFENDERS_BEFORE, number(p_.attackers(from, WHITE, p_.occupied())));
        set(ATTACKERS_AFTER, number(after.attackers(to, BLACK, after.occupied())));
        set(DEFENDERS_AFTER, number(after.attackers(to, WHITE, after.occupied())));
        set(HANGING_BEFORE, hanging_);
        set(HANGING_FROM, hanging_on_[from]);
        set(HANGING_AFTER, best_capture(after, replies, nullptr));
        set(THREATENED_CHANGE,
            number(threatened(after, WHITE, other, own)) - number(threatened_own_));

        set(IN_CHECK, in_check_);
        set(GIVES_CHECK, after.is_check());
        set(REPLIES, replies.size);
        const Bitboard targets = after.by_color[BLACK] & ~after.by_type[KING];
        set(NEW_ATTACKS, number(targets & own.all & ~own_.all));
        int best = 0;
        for (Bitboard b = threatened(after, BLACK, own, other) & ~threatened_other_; b;)
            best = std::max(best, VALUE[type_of(after.board[pop_lowest(b)])]);
        set(NEW_THREAT, best);

        set(FOLLOW_UP, best_capture_if_passed(after, nullptr));

        const int last_to = last_[0] < 0 ? NO_SQUARE : to_of(static_cast<Move>(last_[0]));
        set(TAKES_LAST_MOVED, taken && on == last_to);
        set(ATTACKED_BY_LAST, last_to != NO_SQUARE && (at_from & bit(last_to)));
        set(LAST_DISTANCE, last_to == NO_SQUARE ? -1 : steps(to, last_to));
        const int own_last_to = last_[1] < 0 ? NO_SQUARE : to_of(static_cast<Move>(last_[1]));
        const bool again = from == own_last_to;
        set(OWN_LAST_DISTANCE, own_last_to == NO_SQUARE ? -1 : steps(to, own_last_to));
        set(MOVES_LAST_MOVED, again);
        set(TAKES_BACK, again && to == from_of(static_cast<Move>(last_[1])));

        const auto reach = [number](const Position& p, int square) {
            const int kind = type_of(p.board[square]);
            return number(piece_attacks(kind, square, p.occupied()) & ~p.by_color[WHITE]);
        };
        set(MOBILITY_MOVED, reach(after, to) - reach(p_, from));
        set(MOBILITY_CHANGE, own.mobility - own_.mobility);
        set(OPPONENT_MOBILITY_CHANGE, other.mobility - other_.mobility);
        set(KING_ZONE_CHANGE, number(own.all & zone(after, BLACK)) - king_zone_attacked_);
        set(OWN_ZONE_CHANGE, number(other.all & zone(after, WHITE)) - own_zone_attacked_);

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
        set(OWN_KING_DISTANCE, steps(to, after.king(WHITE)));
        set(FROM_HOME, p_.board[from] == START.board[from]);
        set(LEGAL_MOVES, legal_);
        set(BALANCE, balance_);
        set(MATERIAL, material_);

        set(PROMOTION, promotion_of(move));
        set(CASTLING, !castles ? 0 : to > from ? 1 : 2);
        const Bitboard mine = p_.by_color[WHITE];
        set(RIGHTS_LOST,
            castles ? 0 : number(p_.castling & mine) - number(after.castling & mine));
        set(SHELTER_CHANGE, shelter(after) - shelter_);
        set(PASSED_PAWN, type == PAWN && !promotion_code(move) && is_passed(after, to));
    }

  private:
    const Position& p_;
    const Attacks own_, other_;
    Bitboard threatened_own_, threatened_other_;
    int hanging_on_[64] = {};
    int hanging_, legal_, balance_, material_, shelter_, own_zone_attacked_, king_zone_attacked_;
    bool in_check_;
    std::int32_t last_[2];
};

}  // namespace

std::string move_features(const std::uint8_t* packed, const Move* codes, int n,
                          const std::int32_t* previous, float* out) {
    Position given;
    std::string fault = unpack(packed, given);
    if (fault.empty() && needs_chess960(given)) fault = "castling rights need Chess960 rules";
    if (!fault.empty()) return "the board is no position: " + fault;
    const bool turn = given.side == BLACK;
    const Position p = turned_to_mover(given);
    std::int32_t last[2];
    for (const int i : {0, 1}) {
        const std::int32_t code = previous[i];
        if (code < -1 || code >= NO_MOVE)
            return "previous move " + std::to_string(code) + " is neither a code nor -1";
        last[i] = turn && code >= 0 ? code ^ TURNED : code;
    }
    const Writer writer(p, last);
    for (int i = 0; i < n; ++i) {
        const Move code = turn ? codes[i] ^ TURNED : codes[i];
        const Move move = from_codec(p, code, false);
        if (!is_legal(p, move)) return "move " + std::to_string(codes[i]) + " is not legal";
        writer.write(move, out + static_cast<std::int64_t>(i) * MOVE_FEATURES);
    }
    compare_moves(out, n, MOVE_FEATURES);
    return {};
}

}  // namespace tabia::chess
