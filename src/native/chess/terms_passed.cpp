#include "chess/terms_passed.hpp"

namespace tabia::chess::terms {
namespace {

// By rank - 1 and by distance to the edge + 1.
constexpr int RANK_BONUS_MG[7] = {0, 5, 12, 10, 57, 163, 271};
constexpr int RANK_BONUS_EG[7] = {0, 18, 23, 31, 62, 167, 250};
constexpr int FILE_BONUS_MG[5] = {0, -1, 0, -9, -30};
constexpr int FILE_BONUS_EG[5] = {0, 7, 9, -8, -14};

// Whether our pawn is passed, or a candidate: it could pass after pushes that are not attacked
// more often than defended.
bool is_candidate(const Side& s, int square) {
    const View& v = s.v;
    const Bitboard pawn = bit(square), theirs = v.theirs[PAWN];
    const Bitboard front = up(pawn);
    const Bitboard opposing = theirs & above(pawn);
    const Bitboard guarding = theirs & above(beside(pawn));
    const Bitboard levers = guarding & up(beside(pawn));
    const Bitboard push_levers = guarding & up(up(beside(pawn)));
    if (!opposing && guarding == levers) return true;
    if (guarding != (levers | push_levers) || opposing & ~front) return false;
    if (!guarding && opposing && rank_of(square) > 3) {
        // Only blocked: a supporter that can come beside, not met there, may clear the way.
        for (const bool left : {true, false}) {
            const auto step = [left](Bitboard b) { return left ? west(b) : east(b); };
            if (step(down(pawn)) & v.ours[PAWN] && !(step(pawn) & theirs) &&
                !(step(step(front)) & theirs))
                return true;
        }
    }
    if (opposing) return false;
    const int supported = count(down(beside(pawn)) & v.ours[PAWN]);
    const int phalanx = count(beside(pawn) & v.ours[PAWN]);
    if (count(levers) - supported > 1) return false;
    if (count(push_levers) - phalanx > 0) return false;
    return !(levers && push_levers);
}

// Weight of the squares in front of a passed pawn on rank 4 or higher: safe, defended, or not.
int path_safety(const Side& s, int square) {
    const View& v = s.v;
    const Bitboard pawn = bit(square), front = up(pawn), path = above(pawn);
    const Bitboard behind = below(pawn);
    bool is_defended = (front & s.attacks.all) != 0;
    Bitboard unsafe = v.theirs[0] | s.against.all;
    bool front_unsafe = (front & unsafe) != 0, path_unsafe = (path & unsafe) != 0;
    // Rooks and queens anywhere behind count, blocked or not.
    if (behind & (v.ours[ROOK] | v.ours[QUEEN])) is_defended = true;
    if (behind & (v.theirs[ROOK] | v.theirs[QUEEN])) front_unsafe = path_unsafe = true;
    int k = is_defended ? 5 : 0;
    if (front_unsafe) return k;
    if (path_unsafe) return k + 9;
    if (beside(path) & unsafe) return k + 20;
    // On the files a and h the guide looks at squares beside the board as well, and its attacks
    // reach them. What could attack one attacks or occupies a square looked at above too, with
    // one exception: a knight beside a pawn on the seventh rank.
    constexpr Bitboard SEVENTH_EDGE = (FILE_A | FILE_H) & RANK_8 >> 8;
    const Bitboard knights = v.theirs[KNIGHT] & ~s.against.pinned;
    if (pawn & SEVENTH_EDGE && beside(pawn) & knights) return k + 20;
    return k + 35;
}

}  // namespace

void passed_terms(Side& s, const Side&) {
    const View& v = s.v;
    const Bitboard ours = v.ours[PAWN], theirs = v.theirs[PAWN];
    // Squares where a pawn of ours would have no pawn of theirs before it on three files, nor one
    // of ours on its own.
    const Bitboard passed_squares = ~(below(theirs | beside(theirs)) | below(ours));

    int candidates = 0, proximity = 0, blocks = 0, files = 0, ranks = 0, mg = 0, eg = 0;
    for (Bitboard b = ours; b;) {
        const int square = pop_lowest(b);
        if (!is_candidate(s, square)) continue;
        const int rank = rank_of(square);  // 1..6
        const int file = std::min(file_of(square), 7 - file_of(square)) + 1;
        const int front = square + 8;
        const int weight = rank > 2 ? (rank - 2) * (rank - 2) + 2 : 0;
        int near = 0;
        if (weight) {
            near = 5 * std::min(distance(v.their_king, front), 5) -
                   2 * std::min(distance(v.king, front), 5);
            if (rank < 6) near -= std::min(distance(v.king, front + 8), 5);
            near *= weight;
        }
        const int block =
            rank >= 3 && !(v.occupied & bit(front)) ? path_safety(s, square) * weight : 0;
        int pawn_mg = RANK_BONUS_MG[rank] + block;
        int pawn_eg = near + RANK_BONUS_EG[rank] + block;
        if (!(passed_squares & bit(front)) || (ours | theirs) & bit(front)) {
            pawn_mg /= 2;
            pawn_eg /= 2;
        }
        ++candidates;
        proximity += near;
        blocks += block;
        files += file;
        ranks += rank;
        mg += pawn_mg + FILE_BONUS_MG[file];
        eg += pawn_eg + FILE_BONUS_EG[file];
    }

    std::int32_t* t = s.term;
    t[PASSED_SQUARE] = count(passed_squares);
    t[CANDIDATE_PASSED] = candidates;
    t[KING_PROXIMITY] = proximity;
    t[PASSED_BLOCK] = blocks;
    t[PASSED_FILE] = files;
    t[PASSED_RANK] = ranks;
    t[PASSED_MG] = mg;
    t[PASSED_EG] = eg;
}

}  // namespace tabia::chess::terms
