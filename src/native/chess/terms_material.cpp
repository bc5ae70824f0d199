#include "chess/terms_material.hpp"

#include <cstdlib>

namespace tabia::chess::terms {
namespace {

struct Score {
    int mg, eg;
};

// By PieceType.
constexpr Score PIECE_VALUE[7] = {{0, 0},      {128, 213},   {782, 865}, {830, 918},
                                  {1289, 1378}, {2529, 2687}, {0, 0}};

// Piece-square bonuses of the guide from rank 1 to 8; files a to d, mirrored to e to h.
constexpr int MIRRORED_MG[5][8][4] = {
    {{-169, -96, -80, -79}, {-79, -39, -24, -9}, {-64, -20, 4, 19}, {-28, 5, 41, 47},
     {-29, 13, 42, 52}, {-11, 28, 63, 55}, {-67, -21, 6, 37}, {-200, -80, -53, -32}},
    {{-44, -4, -11, -28}, {-18, 7, 14, 3}, {-8, 24, -3, 15}, {1, 8, 26, 37},
     {-7, 30, 23, 28}, {-17, 4, -1, 8}, {-21, -19, 10, -6}, {-48, -3, -12, -25}},
    {{-24, -13, -7, 2}, {-18, -10, -5, 9}, {-21, -7, 3, -1}, {-13, -5, -4, -6},
     {-24, -12, -1, 6}, {-24, -4, 4, 10}, {-8, 6, 10, 12}, {-22, -24, -6, 4}},
    {{3, -5, -5, 4}, {-3, 5, 8, 12}, {-3, 6, 13, 7}, {4, 5, 9, 8},
     {0, 14, 12, 5}, {-4, 10, 6, 8}, {-5, 6, 10, 8}, {-2, -2, 1, -2}},
    {{272, 325, 273, 190}, {277, 305, 241, 183}, {198, 253, 168, 120}, {169, 191, 136, 108},
     {145, 176, 112, 69}, {122, 159, 85, 36}, {87, 120, 64, 25}, {64, 87, 49, 0}}};
constexpr int MIRRORED_EG[5][8][4] = {
    {{-105, -74, -46, -18}, {-70, -56, -15, 6}, {-38, -33, -5, 27}, {-36, 0, 13, 34},
     {-41, -20, 4, 35}, {-51, -38, -17, 19}, {-64, -45, -37, 16}, {-98, -89, -53, -16}},
    {{-63, -30, -35, -8}, {-38, -13, -14, 0}, {-18, 0, -7, 13}, {-26, -3, 1, 16},
     {-24, -6, -10, 17}, {-26, 2, 1, 16}, {-34, -18, -7, 9}, {-51, -40, -39, -20}},
    {{-2, -6, -3, -2}, {-10, -7, 1, 0}, {10, -4, 2, -2}, {-5, 2, -8, 8},
     {-8, 5, 4, -9}, {3, -2, -10, 7}, {1, 2, 17, -8}, {12, -6, 13, 7}},
    {{-69, -57, -47, -26}, {-55, -31, -22, -4}, {-39, -18, -9, 3}, {-23, -3, 13, 24},
     {-29, -6, 9, 21}, {-38, -18, -12, 1}, {-50, -27, -24, -8}, {-75, -52, -43, -36}},
    {{0, 41, 80, 93}, {57, 98, 138, 131}, {86, 138, 165, 173}, {103, 152, 168, 169},
     {98, 166, 197, 194}, {87, 164, 174, 189}, {40, 99, 128, 141}, {5, 60, 75, 75}}};
// Pawns have no mirror: all eight files.
constexpr int PAWN_MG[8][8] = {{},
                               {0, -5, 10, 13, 21, 17, 6, -3},
                               {-11, -10, 15, 22, 26, 28, 4, -24},
                               {-9, -18, 8, 22, 33, 25, -4, -16},
                               {6, -3, -10, 1, 12, 6, -12, 1},
                               {-6, -8, 5, 11, -14, 0, -12, -14},
                               {-10, 6, -5, -11, -2, -14, 12, -1},
                               {}};
constexpr int PAWN_EG[8][8] = {{},
                               {-10, -3, 7, -1, 7, 6, 1, -20},
                               {-6, -6, -1, -1, -1, 2, -2, -5},
                               {4, -5, -4, -5, -6, -13, -3, -7},
                               {18, 2, 2, -9, -13, -8, 11, 9},
                               {25, 17, 19, 29, 29, 8, 4, 12},
                               {-1, -6, 18, 22, 22, 17, 2, 9},
                               {}};

struct PieceSquares {
    Score at[7][64];
};

constexpr PieceSquares piece_squares() {
    PieceSquares table = {};
    for (int square = 0; square < 64; ++square) {
        const int rank = rank_of(square), file = file_of(square);
        table.at[PAWN][square] = {PAWN_MG[rank][file], PAWN_EG[rank][file]};
        const int column = std::min(file, 7 - file);
        for (int type = KNIGHT; type <= KING; ++type)
            table.at[type][square] = {MIRRORED_MG[type - KNIGHT][rank][column],
                                      MIRRORED_EG[type - KNIGHT][rank][column]};
    }
    return table;
}

constexpr PieceSquares PSQT = piece_squares();

// Imbalance of a piece (row) with each piece of its own side and of the other side (column):
// bishop pair, then PNBRQ. Only columns up to the row count.
constexpr int WITH_OURS[6][6] = {{},
                                 {40, 38},
                                 {32, 255, -62},
                                 {0, 104, 4, 0},
                                 {-26, -2, 47, 105, -208},
                                 {-189, 24, 117, 133, -134, -6}};
constexpr int WITH_THEIRS[6][6] = {{},
                                   {36, 0},
                                   {9, 63, 0},
                                   {59, 65, 42, 0},
                                   {46, 39, 24, -24, 0},
                                   {97, 100, -42, 137, 268, 0}};

constexpr int BISHOP_PAIR_BONUS = 1438;

// Endgame score of the whole position, White's view.
int endgame_score(const Side& white, const Side& black) {
    const std::int32_t* w = white.term;
    const std::int32_t* b = black.term;
    int score = 0;
    for (const Term term : {PIECE_VALUE_EG, PSQT_EG, PAWNS_EG, PIECES_EG, MOBILITY_EG, THREATS_EG,
                            PASSED_EG, KING_EG})
        score += w[term] - b[term];
    score += (w[IMBALANCE] - b[IMBALANCE] + w[BISHOP_PAIR] - b[BISHOP_PAIR]) / 16;

    // Initiative: pulls the score towards zero, at most to zero, or away from it.
    const View& v = white.v;
    const Bitboard pawns = v.ours[PAWN] | v.theirs[PAWN];
    constexpr Bitboard QUEEN_SIDE = FILE_A | FILE_A << 1 | FILE_A << 2 | FILE_A << 3;
    const bool both_flanks = (pawns & QUEEN_SIDE) && (pawns & ~QUEEN_SIDE);
    const int king_distance = std::abs(file_of(v.king) - file_of(v.their_king)) -
                              std::abs(rank_of(v.king) - rank_of(v.their_king));
    const bool only_pawns = w[NON_PAWN_MATERIAL] + b[NON_PAWN_MATERIAL] == 0;
    const int initiative = 9 * (w[CANDIDATE_PASSED] + b[CANDIDATE_PASSED]) + 11 * count(pawns) +
                           9 * king_distance + 18 * both_flanks + 49 * only_pawns - 103;
    const int sign = (score > 0) - (score < 0);
    return score + sign * std::max(initiative, -std::abs(score));
}

// Scale factor when the side of `strong` is ahead.
int scale_factor(const Side& strong, const Side& weak) {
    constexpr int BISHOP_MG = PIECE_VALUE[BISHOP].mg, ROOK_MG = PIECE_VALUE[ROOK].mg;
    const int material = strong.term[NON_PAWN_MATERIAL];
    const int other = weak.term[NON_PAWN_MATERIAL];
    const int pawns = count(strong.v.ours[PAWN]);
    if (pawns == 0 && material - other <= BISHOP_MG)
        return material < ROOK_MG ? 0 : other <= BISHOP_MG ? 4 : 14;

    const Bitboard bishops = strong.v.ours[BISHOP], theirs = strong.v.theirs[BISHOP];
    const bool opposite_bishops =
        count(bishops) == 1 && count(theirs) == 1 &&
        ((bishops & DARK_SQUARES) != 0) != ((theirs & DARK_SQUARES) != 0);
    if (opposite_bishops && material == BISHOP_MG && other == BISHOP_MG)
        return 16 + 4 * (strong.term[CANDIDATE_PASSED] + weak.term[CANDIDATE_PASSED]);
    return std::min(40 + (opposite_bishops ? 2 : 7) * pawns, 64);
}

}  // namespace

void material_terms(Side& s, const Side&) {
    const View& v = s.v;
    int ours[6], theirs[6];  // [0] is the bishop pair, the others by PieceType
    Score value = {0, 0}, psqt = {0, 0};
    for (int type = PAWN; type <= KING; ++type) {
        Bitboard b = v.ours[type];
        if (type < KING) {
            ours[type] = count(b);
            theirs[type] = count(v.theirs[type]);
            value.mg += PIECE_VALUE[type].mg * ours[type];
            value.eg += PIECE_VALUE[type].eg * ours[type];
        }
        while (b) {
            const Score& at = PSQT.at[type][pop_lowest(b)];
            psqt.mg += at.mg;
            psqt.eg += at.eg;
        }
    }
    ours[0] = ours[BISHOP] > 1;
    theirs[0] = theirs[BISHOP] > 1;
    int imbalance = 0;
    for (int row = PAWN; row <= QUEEN; ++row) {
        int each = 0;
        for (int column = 0; column <= row; ++column)
            each += WITH_OURS[row][column] * ours[column] +
                    WITH_THEIRS[row][column] * theirs[column];
        imbalance += ours[row] * each;
    }

    std::int32_t* t = s.term;
    t[NON_PAWN_MATERIAL] = value.mg - PIECE_VALUE[PAWN].mg * ours[PAWN];
    t[PIECE_VALUE_MG] = value.mg;
    t[PIECE_VALUE_EG] = t[PIECE_VALUE_BONUS] = value.eg;
    t[PSQT_MG] = psqt.mg;
    t[PSQT_EG] = t[PSQT_BONUS] = psqt.eg;
    t[IMBALANCE] = imbalance;
    t[BISHOP_PAIR] = ours[0] ? BISHOP_PAIR_BONUS : 0;
}

void scale_terms(Side& white, Side& black) {
    const int score = endgame_score(white, black);
    // Each side takes itself for the stronger one only when it is ahead, so at equality the two
    // values come from opposite sides.
    white.term[SCALE_FACTOR] =
        score > 0 ? scale_factor(white, black) : scale_factor(black, white);
    black.term[SCALE_FACTOR] =
        score < 0 ? scale_factor(black, white) : scale_factor(white, black);
}

}  // namespace tabia::chess::terms
