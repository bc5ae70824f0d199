#include "chess/terms_passed.hpp"

namespace tabia::chess::terms {
namespace {

// By rank - 1 and by distance to the edge + 1.
constexpr int RANK_BONUS_MG[7] = {0, 5, 12, 10, 57, 163, 271};
constexpr int RANK_BONUS_EG[7] = {0, 18, 23, 31, 62, 167, 250};
constexpr int FILE_BONUS_MG[5] = {0, -1, 0, -9, -30};
constexpr int FILE_BONUS_EG[5] = {0, 7, 9, -8, -14};

constexpr bool on_board(int file, int rank) {
    return file >= 0 && file < 8 && rank >= 0 && rank < 8;
}

// Whether their sliders of a kind attack the square (file, rank), beside the board, along the ray
// that leaves it in the direction (files, ranks). Pinned ones do so only along their pin.
bool slider_reaches(const Side& s, PieceType kind, Bitboard seen_through, int file, int rank,
                    int files, int ranks) {
    const View& v = s.v;
    const Line ray = ranks == 0                     ? RANK_LINE
                     : (files > 0) == (ranks > 0) ? MAIN_LINE
                                                    : ANTI_LINE;
    for (file += files, rank += ranks; on_board(file, rank); file += files, rank += ranks) {
        const int square = 8 * rank + file;
        const bool held = s.against.pinned & bit(square) && line_of(v.their_king, square) != ray;
        if (v.theirs[kind] & bit(square) && !held) return true;
        if (v.occupied & ~seen_through & bit(square)) return false;
    }
    return false;
}

// Whether they attack a square beside the board, on the file left of a or right of h.
//
// The guide looks at both neighbouring files of a passed pawn's path without asking whether they
// exist. Its attack functions walk from the square to the piece, so what could reach such a
// square if the board went on counts as an attack on it.
bool they_attack_beside_board(const Side& s, int file, int rank) {
    const View& v = s.v;
    const int inward = file < 0 ? 1 : -1;
    const auto stands = [&](Bitboard pieces, int files, int ranks) {
        const int f = file + files * inward, r = rank + ranks;
        return on_board(f, r) && pieces & bit(8 * r + f);
    };
    if (stands(v.theirs[PAWN], 1, 1)) return true;
    const Bitboard knights = v.theirs[KNIGHT] & ~s.against.pinned;
    for (const int ranks : {-1, 1})
        if (stands(knights, 2, ranks) || stands(knights, 1, 2 * ranks)) return true;
    const Bitboard queens = v.ours[QUEEN] | v.theirs[QUEEN];
    for (const int ranks : {-1, 0, 1}) {
        if (stands(v.theirs[KING], 1, ranks)) return true;
        const PieceType kind = ranks == 0 ? ROOK : BISHOP;
        const Bitboard seen_through = ranks == 0 ? queens | v.theirs[ROOK] : queens;
        if (slider_reaches(s, kind, seen_through, file, rank, inward, ranks) ||
            slider_reaches(s, QUEEN, 0, file, rank, inward, ranks))
            return true;
    }
    return false;
}

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
    const int file = file_of(square);
    if (file == 0 || file == 7)
        for (int rank = rank_of(square) + 1; rank < 8; ++rank)
            if (they_attack_beside_board(s, file == 0 ? -1 : 8, rank)) return k + 20;
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
