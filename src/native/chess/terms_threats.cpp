#include "chess/terms_threats.hpp"

namespace tabia::chess::terms {
namespace {

// By PieceType of the piece that is attacked.
constexpr int MINOR_MG[7] = {0, 0, 39, 57, 68, 62, 0}, MINOR_EG[7] = {0, 31, 42, 44, 112, 120, 0};
constexpr int ROOK_MG[7] = {0, 0, 38, 38, 0, 51, 0}, ROOK_EG[7] = {0, 24, 71, 61, 38, 38, 0};

// Sum of (8 - rank) over a set.
int ranks_from_top(Bitboard b) {
    int sum = 0;
    while (b) sum += 7 - rank_of(pop_lowest(b));
    return sum;
}

}  // namespace

void threat_terms(Side& s, const Side&) {
    const View& v = s.v;
    const Attacks& a = s.attacks;
    const Attacks& d = s.against;  // d for defence
    const Bitboard enemies = v.theirs[0];
    const Bitboard pawns = v.ours[PAWN];

    // Defended by a pawn or defended twice and attacked once.
    const Bitboard outnumbered = d.twice & ~a.twice;
    const Bitboard weak = enemies & a.all & ~d.pawn & ~outnumbered;
    // Pawns are threatened by minor pieces only when weak, all others always.
    const Bitboard by_minor = (a.knight | a.bishop) & (weak | (enemies & ~v.theirs[PAWN]));
    const Bitboard by_rook = a.rook & weak;
    int minor = 0, rook = 0, minor_mg = 0, minor_eg = 0, rook_mg = 0, rook_eg = 0;
    for (int type = PAWN; type <= KING; ++type) {
        const int n_minor = count(by_minor & v.theirs[type]);
        const int n_rook = count(by_rook & v.theirs[type]);
        minor += type * n_minor;
        rook += type * n_rook;
        minor_mg += MINOR_MG[type] * n_minor;
        minor_eg += MINOR_EG[type] * n_minor;
        rook_mg += ROOK_MG[type] * n_rook;
        rook_eg += ROOK_EG[type] * n_rook;
    }

    const Bitboard safe_pawns = pawns & (a.all | ~d.all);
    const Bitboard pieces = enemies & ~v.theirs[PAWN] & ~v.theirs[KING];
    const Bitboard hanging = weak & ((a.twice & ~v.theirs[PAWN]) | ~d.all);

    // Pushes to empty squares that no enemy pawn attacks and that are defended or not attacked.
    // The guide's test for enemy pawns covers the target, so pawns are never targets.
    const Bitboard empty = ~v.occupied;
    const Bitboard single = up(pawns) & empty;
    const Bitboard pushed = single | (up(single & RANK_1 << 16) & empty);
    const Bitboard safe_push = pushed & ~d.pawn & (a.all | ~d.all);
    const Bitboard push_threat = up(beside(safe_push)) & enemies & ~v.theirs[PAWN];

    int slider_on_queen = 0, knight_on_queen = 0;
    if (v.theirs[QUEEN] && !more_than_one(v.theirs[QUEEN])) {
        const Bitboard area = s.mobility_area & ~d.pawn;
        const Bitboard sliders = area & a.twice &
                                 ((d.queen_diagonal & a.bishop) |
                                  (d.queen & ~d.queen_diagonal & a.rook));
        const Bitboard jumps = TABLES.knight[lowest(v.theirs[QUEEN])];
        slider_on_queen = count(sliders);
        knight_on_queen = count(area & ~outnumbered & a.knight & jumps);
    }

    std::int32_t* t = s.term;
    t[SAFE_PAWN] = count(safe_pawns);
    t[THREAT_SAFE_PAWN] = count(pieces & up(beside(safe_pawns)));
    t[WEAK_ENEMIES] = count(weak);
    t[MINOR_THREAT] = minor;
    t[ROOK_THREAT] = rook;
    t[HANGING] = count(hanging);
    t[KING_THREAT] = count(weak & a.king & ~v.theirs[KING]);
    t[PAWN_PUSH_THREAT] = count(push_threat);
    t[RANK_THREAT] = ranks_from_top(by_minor & ~v.theirs[PAWN]) +
                     ranks_from_top(by_rook & ~v.theirs[PAWN]);
    t[SLIDER_ON_QUEEN] = slider_on_queen;
    t[KNIGHT_ON_QUEEN] = knight_on_queen;
    t[RESTRICTED] = count(a.all & d.all & ~d.pawn & ~outnumbered);
    const bool king_threat = t[KING_THREAT] > 0;
    t[THREATS_MG] = 69 * t[HANGING] + 24 * king_threat + 48 * t[PAWN_PUSH_THREAT] +
                    13 * t[RANK_THREAT] + 173 * t[THREAT_SAFE_PAWN] + 59 * slider_on_queen +
                    16 * knight_on_queen + 7 * t[RESTRICTED] + minor_mg + rook_mg;
    t[THREATS_EG] = 36 * t[HANGING] + 89 * king_threat + 39 * t[PAWN_PUSH_THREAT] +
                    94 * t[THREAT_SAFE_PAWN] + 18 * slider_on_queen + 12 * knight_on_queen +
                    7 * t[RESTRICTED] + minor_eg + rook_eg;
}

}  // namespace tabia::chess::terms
