// As in the guide, the terms of a side speak of the *enemy* king: its shelter, and what we have
// against it. Only `king_pawn_distance` is about our own.
#include "chess/terms_king.hpp"

namespace tabia::chess::terms {
namespace {

// Their pawns before their king, by file (from the edge) and distance of the pawn to their side's
// first rank; 0 is no pawn.
constexpr int SHELTER[4][7] = {{-6, 81, 93, 58, 39, 18, 25},
                               {-43, 61, 35, -49, -29, -11, -63},
                               {-10, 75, 23, -2, 32, 3, -45},
                               {-39, -13, -29, -52, -48, -67, -166}};
// Our pawns that come at them, likewise, where no pawn stops them.
constexpr int STORM[4][7] = {{89, 107, 123, 93, 57, 45, 51},
                             {44, -18, 123, 46, 39, -7, 23},
                             {4, 52, 162, 37, 7, -14, -2},
                             {-10, -14, 90, 15, 2, -7, -16}};
constexpr int BLOCKED_STORM = 82;   // a pawn of ours on their rank 3, stopped there
constexpr int CORNER_PAWN = 369;    // a pawn of ours right before their king in the corner
constexpr int ATTACKER_WEIGHT[7] = {0, 0, 77, 55, 44, 10, 0};

constexpr Bitboard EDGE_FILES = FILE_A | FILE_H;

// Shelter and storm of one file for a king on each rank: pawns behind the king do not count.
struct FileShelter {
    int strength[8], storm[8];
    bool blocked[8];  // the storm is a stopped pawn on their rank 3: counts in the endgame too
};

struct Shelter {
    int strength, storm, endgame;
};

void fill_file(const View& v, int file, FileShelter& out) {
    const int column = std::min(file, 7 - file);
    int guard = 0, attacker = 0;  // their distance to the top rank; 0 none
    for (int rank = 0; rank < 8; ++rank) {
        const Bitboard at = bit(8 * rank + file);
        if (v.theirs[PAWN] & at) guard = 7 - rank;
        if (v.ours[PAWN] & at) attacker = 7 - rank;
        const bool stopped = guard > 0 && attacker == guard + 1;
        out.strength[rank] = SHELTER[column][guard];
        out.blocked[rank] = stopped && attacker == 2;
        out.storm[rank] = stopped ? (attacker == 2 ? BLOCKED_STORM : 0) : STORM[column][attacker];
    }
}

// For their king on `square`: the three files round it, or round the nearest inner file.
Shelter shelter_at(const View& v, const FileShelter* files, int square) {
    const int rank = rank_of(square), centre = std::clamp(file_of(square), 1, 6);
    Shelter at = {5, 0, 0};
    for (int file = centre - 1; file <= centre + 1; ++file) {
        at.strength += files[file].strength[rank];
        at.storm += files[file].storm[rank];
        at.endgame += files[file].blocked[rank] ? BLOCKED_STORM : 0;
    }
    if (bit(square) & EDGE_FILES && rank >= 6 && v.ours[PAWN] & bit(square - 8))
        at.storm -= CORNER_PAWN;
    return at;
}

// The best shelter among the king's square and those it may castle to; ties go to the first file.
Shelter best_shelter(const View& v, const FileShelter* files) {
    constexpr int C8 = 58, G8 = 62;
    Bitboard squares = bit(v.their_king);
    if (v.they_castle_king_side) squares |= bit(G8);
    if (v.they_castle_queen_side) squares |= bit(C8);
    Shelter best = {0, 1024, 0};
    for (int file = 0; file < 8; ++file)
        for (Bitboard b = squares & file_mask(file); b;) {
            const int square = highest(b);
            b ^= bit(square);
            const Shelter at = shelter_at(v, files, square);
            if (at.storm - at.strength < best.storm - best.strength) best = at;
        }
    return best;
}

void shelter_terms(Side& s) {
    const View& v = s.v;
    FileShelter files[8];
    // Number of squares of a rank whose three files include this one.
    constexpr int USES[8] = {2, 3, 4, 3, 3, 4, 3, 2};
    int strength = 64 * 5, storm = 0;
    for (int file = 0; file < 8; ++file) {
        fill_file(v, file, files[file]);
        for (int rank = 0; rank < 8; ++rank) {
            strength += USES[file] * files[file].strength[rank];
            storm += USES[file] * files[file].storm[rank];
        }
    }
    const Bitboard corners = EDGE_FILES & (RANK_1 << 40 | RANK_1 << 48);
    storm -= CORNER_PAWN * count(v.ours[PAWN] & corners);
    const Shelter best = best_shelter(v, files);
    std::int32_t* t = s.term;
    t[STRENGTH_SQUARE] = strength;
    t[STORM_SQUARE] = storm;
    t[SHELTER_STRENGTH] = best.strength;
    t[SHELTER_STORM] = best.storm;
    t[ENDGAME_SHELTER] = best.endgame;
}

// Files that belong to the flank of a king: for the squares we attack there, and for pawns.
Bitboard flank(int file) {
    constexpr Bitboard LEFT = FILE_A | FILE_A << 1 | FILE_A << 2;
    if (file == 0) return LEFT;
    if (file < 3) return LEFT | FILE_A << 3;
    if (file < 5) return CENTRE_FILES;
    if (file < 7) return (LEFT << 5) | FILE_A << 4;
    return LEFT << 5;
}

}  // namespace

void king_terms(Side& s, const Side& other) {
    const View& v = s.v;
    const Attacks& a = s.attacks;
    const Attacks& d = s.against;
    std::int32_t* t = s.term;
    shelter_terms(s);

    const Bitboard king = v.theirs[KING];
    const Bitboard beside_king = TABLES.king[v.their_king];
    // The king's square and those beside, one further where the king stands on the edge: the
    // files a and h, and the last rank.
    Bitboard full_ring = beside_king | king;
    if (king & RANK_8) full_ring |= down(full_ring);
    if (king & FILE_A) full_ring |= east(full_ring);
    if (king & FILE_H) full_ring |= west(full_ring);
    const Bitboard ring = full_ring & ~d.pawn_twice;

    // Squares of ours that they defend at most once, and then by the queen or king.
    const Bitboard weak = a.all & ~d.twice & (~d.all | d.king | d.queen);

    // Pieces that attack the ring. Pawns count with the squares they attack, of the full ring.
    int attackers = count(a.pawn & full_ring), weight = 0, king_attacks = 0;
    for (const Piece& piece : s.pieces) {
        if (!(piece.attacks & ring)) continue;
        ++attackers;
        weight += ATTACKER_WEIGHT[piece.type];
        king_attacks += count(piece.attacks & beside_king);
    }

    // Squares from which a piece would give check; their queens do not block.
    const Bitboard blockers = v.occupied & ~v.theirs[QUEEN];
    const Bitboard straight = rook_attacks(v.their_king, blockers);
    const Bitboard diagonal = bishop_attacks(v.their_king, blockers);
    const Bitboard knight_check = a.knight & TABLES.knight[v.their_king];
    const Bitboard bishop_check = a.bishop & diagonal;
    const Bitboard rook_check = a.rook & straight;
    const Bitboard queen_check = a.queen & (straight | diagonal);
    const Bitboard check = knight_check | bishop_check | rook_check | queen_check;
    const Bitboard safe = ~v.ours[0] & (~d.all | (weak & a.twice));
    const Bitboard safe_rook = rook_check & safe;
    const Bitboard safe_queen = queen_check & safe & ~d.queen & ~safe_rook;
    const Bitboard safe_bishop = bishop_check & safe & ~safe_queen;
    const Bitboard safe_knight = knight_check & safe;
    const Bitboard unsafe = (safe_knight ? 0 : knight_check) | (safe_bishop ? 0 : bishop_check) |
                            (safe_rook ? 0 : rook_check);

    constexpr Bitboard UPPER_RANKS = ~(RANK_1 | RANK_1 << 8 | RANK_1 << 16);
    const Bitboard their_flank = flank(file_of(v.their_king));
    const Bitboard close = a.all & their_flank & UPPER_RANKS;

    int pawn_distance = 8;
    for (Bitboard b = v.ours[PAWN]; b;)
        pawn_distance = std::min(pawn_distance, distance(v.king, pop_lowest(b)));

    t[PAWNLESS_FLANK] = !((v.ours[PAWN] | v.theirs[PAWN]) & their_flank);
    t[KING_PAWN_DISTANCE] = pawn_distance < 8 ? pawn_distance : 0;
    t[CLOSE_ENEMIES] = count(close) + count(close & a.twice);
    t[CHECK] = count(check);
    t[SAFE_CHECK] = count(check & safe);
    t[KING_ATTACKERS_COUNT] = attackers;
    t[KING_ATTACKERS_WEIGHT] = weight;
    t[KING_ATTACKS] = king_attacks;
    t[WEAK_SQUARES] = count(weak);
    t[WEAK_BONUS] = count(weak & ring);
    t[UNSAFE_CHECKS] = count(d.shields | (s.mobility_area & unsafe));
    t[KNIGHT_DEFENDER] = count(a.knight & a.king);
    t[BISHOP_DEFENDER] = count(a.bishop & a.king);

    const int tropism = t[CLOSE_ENEMIES];
    const int danger =
        attackers * weight + 69 * king_attacks + 185 * t[WEAK_BONUS] -
        100 * ((d.knight & d.king) != 0) - 35 * ((d.bishop & d.king) != 0) +
        150 * t[UNSAFE_CHECKS] + 5 * tropism * tropism / 16 - (v.ours[QUEEN] ? 0 : 873) -
        6 * (t[SHELTER_STRENGTH] - t[SHELTER_STORM]) / 8 + t[MOBILITY_MG] -
        other.term[MOBILITY_MG] - 7 + (safe_queen ? 780 : 0) + (safe_rook ? 1080 : 0) +
        (safe_bishop ? 635 : 0) + (safe_knight ? 790 : 0);
    const int king_danger = danger > 100 ? danger : 0;
    t[KING_DANGER] = king_danger;
    t[KING_MG] = t[SHELTER_STORM] - t[SHELTER_STRENGTH] + king_danger * king_danger / 4096 +
                 8 * tropism + 17 * t[PAWNLESS_FLANK];
    t[KING_EG] = t[ENDGAME_SHELTER] - 16 * t[KING_PAWN_DISTANCE] + 95 * t[PAWNLESS_FLANK] +
                 king_danger / 16;
}

}  // namespace tabia::chess::terms
