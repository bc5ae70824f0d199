#include "chess/terms_pieces.hpp"

namespace tabia::chess::terms {
namespace {

// By PieceType - KNIGHT and number of squares.
constexpr int MOBILITY_BONUS_MG[4][28] = {
    {-62, -53, -12, -4, 3, 13, 22, 28, 33},
    {-48, -20, 16, 26, 38, 51, 55, 63, 63, 68, 81, 81, 91, 98},
    {-58, -27, -15, -10, -5, -2, 9, 16, 30, 29, 32, 38, 46, 48, 58},
    {-39, -21, 3,  3,  14, 22, 28, 41, 43, 48,  56,  60,  60,  66,
     67,  70,  71, 73, 79, 88, 88, 99, 102, 102, 106, 109, 113, 116}};
constexpr int MOBILITY_BONUS_EG[4][28] = {
    {-81, -56, -30, -14, 8, 15, 23, 27, 33},
    {-59, -23, -3, 13, 24, 42, 54, 57, 65, 73, 78, 86, 88, 97},
    {-76, -18, 28, 55, 69, 82, 112, 118, 132, 142, 155, 165, 166, 169, 171},
    {-36, -15, 8,   18,  34,  54,  61,  73,  79,  92,  94,  104, 113, 120,
     123, 126, 133, 136, 140, 143, 148, 166, 170, 175, 184, 191, 206, 212}};

// Squares that count as mobility: not our king or queen, not a pawn of ours that is blocked or
// on its first two ranks, not attacked by their pawns.
Bitboard mobility_area(const Side& s) {
    const View& v = s.v;
    constexpr Bitboard LOW_RANKS = RANK_1 << 8 | RANK_1 << 16;
    const Bitboard pawns = v.ours[PAWN] & (LOW_RANKS | down(v.occupied));
    return ~(v.ours[KING] | v.ours[QUEEN] | pawns | s.against.pawn);
}

// Whether one piece of any colour stands between our queen and a rook or bishop of theirs.
bool is_weak_queen(const View& v, int queen) {
    // Behind the first piece of each line: the attacks when those pieces are lifted.
    const Bitboard diagonals = bishop_attacks(queen, v.occupied);
    const Bitboard straights = rook_attacks(queen, v.occupied);
    const Bitboard bishops =
        bishop_attacks(queen, v.occupied & ~diagonals) & ~diagonals & v.theirs[BISHOP];
    const Bitboard rooks =
        rook_attacks(queen, v.occupied & ~straights) & ~straights & v.theirs[ROOK];
    return (bishops | rooks) != 0;
}

// A bishop on the outer part of a long diagonal with no pawn between it and the near centre.
bool is_long_diagonal_bishop(const View& v, int bishop) {
    const int file = file_of(bishop);
    if (!(bit(bishop) & (MAIN_DIAGONAL | ANTI_DIAGONAL))) return false;
    if (std::min(file, 7 - file) > 2) return false;
    const int centre = (file < 4 ? 3 : 4) + 8 * (rank_of(bishop) < 4 ? 3 : 4);
    const Bitboard pawns = v.ours[PAWN] | v.theirs[PAWN];
    return !((TABLES.between[bishop][centre] | bit(centre)) & pawns);
}

}  // namespace

void piece_terms(Side& s, const Side&) {
    const View& v = s.v;
    const Bitboard pawns = v.ours[PAWN], their_pawns = v.theirs[PAWN];
    s.mobility_area = mobility_area(s);

    // Ranks 4 to 6, supported by a pawn, out of reach of their pawns for good.
    constexpr Bitboard OUTPOST_RANKS = RANK_1 << 24 | RANK_1 << 32 | RANK_1 << 40;
    const Bitboard outposts = OUTPOST_RANKS & s.attacks.pawn & ~beside(below(their_pawns));
    const Bitboard minors = v.ours[KNIGHT] | v.ours[BISHOP];
    const int blocked = count(pawns & CENTRE_FILES & down(v.occupied));
    const bool king_on_queen_side = file_of(v.king) < 4;

    int mobility = 0, mobility_mg = 0, mobility_eg = 0;
    int reachable = 0, outpost_halves = 0, bishop_pawns = 0, rook_on_pawn = 0, rook_on_file = 0;
    int rook_file_mg = 0, rook_file_eg = 0;
    int trapped = 0, weak_queens = 0, protector = 0, long_diagonal = 0;
    for (const Piece& piece : s.pieces) {
        const int squares = count(piece.attacks & s.mobility_area);
        mobility += squares;
        mobility_mg += MOBILITY_BONUS_MG[piece.type - KNIGHT][squares];
        mobility_eg += MOBILITY_BONUS_EG[piece.type - KNIGHT][squares];
        const Bitboard at = bit(piece.square);
        if (piece.type == KNIGHT || piece.type == BISHOP) {
            const int halves = piece.type == KNIGHT ? 4 : 2;
            const bool can_reach = (piece.attacks & outposts & ~v.ours[0]) != 0;
            reachable += 2 * can_reach;  // 2: an outpost square has a pawn's support
            if (outposts & at) outpost_halves += halves;
            else if (can_reach) outpost_halves += halves / 2;
            protector += distance(piece.square, v.king);
            if (piece.type == BISHOP) {
                const Bitboard colour = at & DARK_SQUARES ? DARK_SQUARES : ~DARK_SQUARES;
                bishop_pawns += count(pawns & colour) * (blocked + 1);
                long_diagonal += is_long_diagonal_bishop(v, piece.square);
            }
        } else if (piece.type == ROOK) {
            const Bitboard file = file_mask(file_of(piece.square));
            if (rank_of(piece.square) >= 4)
                rook_on_pawn += count(their_pawns & rank_mask(rank_of(piece.square))) +
                                count(their_pawns & file);
            if (!(pawns & file)) {
                const bool open = !(their_pawns & file);
                rook_on_file += open ? 2 : 1;
                rook_file_mg += open ? 44 : 18;
                rook_file_eg += open ? 20 : 7;
            } else if (squares <= 3) {
                trapped += king_on_queen_side == (file_of(piece.square) < file_of(v.king));
            }
        } else {
            weak_queens += is_weak_queen(v, piece.square);
        }
    }

    std::int32_t* t = s.term;
    t[MOBILITY] = mobility;
    t[MOBILITY_AREA] = count(s.mobility_area);
    t[MOBILITY_MG] = mobility_mg;
    t[MOBILITY_EG] = t[MOBILITY_BONUS] = mobility_eg;
    t[OUTPOST] = count(outposts & minors);
    t[OUTPOST_SQUARE] = count(outposts);
    t[REACHABLE_OUTPOST] = reachable;
    t[OUTPOST_TOTAL] = outpost_halves;
    t[MINOR_BEHIND_PAWN] = count(minors & down(pawns | their_pawns));
    t[BISHOP_PAWNS] = bishop_pawns;
    t[ROOK_ON_PAWN] = rook_on_pawn;
    t[ROOK_ON_FILE] = rook_on_file;
    t[TRAPPED_ROOK] = trapped;
    t[WEAK_QUEEN] = weak_queens;
    t[KING_PROTECTOR] = protector;
    t[LONG_DIAGONAL_BISHOP] = long_diagonal;
    const int trap = v.can_castle ? trapped : 2 * trapped;
    t[PIECES_MG] = 18 * outpost_halves + 18 * t[MINOR_BEHIND_PAWN] - 3 * bishop_pawns +
                   10 * rook_on_pawn + rook_file_mg - 47 * trap - 49 * weak_queens -
                   7 * protector + 45 * long_diagonal;
    t[PIECES_EG] = 6 * outpost_halves + 3 * t[MINOR_BEHIND_PAWN] - 7 * bishop_pawns +
                   32 * rook_on_pawn + rook_file_eg - 4 * trap - 15 * weak_queens - 8 * protector;
}

}  // namespace tabia::chess::terms
