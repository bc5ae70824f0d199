#include "chess/terms.hpp"

#include "chess/terms_attacks.hpp"
#include "chess/terms_king.hpp"
#include "chess/terms_material.hpp"
#include "chess/terms_passed.hpp"
#include "chess/terms_pawns.hpp"
#include "chess/terms_pieces.hpp"
#include "chess/terms_threats.hpp"
#include "chess/terms_view.hpp"

namespace tabia::chess {

#define TABIA_TERM_NAME(id, name, group) {name, group},
const TermName TERM_NAMES[N_TERMS] = {TABIA_CHESS_TERMS(TABIA_TERM_NAME)};
#undef TABIA_TERM_NAME

namespace {

terms::View view_of(const Position& p, Color side) {
    terms::View v;
    const Color other = side == WHITE ? BLACK : WHITE;
    const auto seen = [side](Bitboard b) { return side == WHITE ? b : terms::flipped(b); };
    v.ours[0] = seen(p.by_color[side]);
    v.theirs[0] = seen(p.by_color[other]);
    for (int type = PAWN; type <= KING; ++type) {
        const Bitboard both = seen(p.by_type[type]);
        v.ours[type] = both & v.ours[0];
        v.theirs[type] = both & v.theirs[0];
    }
    v.occupied = v.ours[0] | v.theirs[0];
    v.king = lowest(v.ours[KING]);
    v.their_king = lowest(v.theirs[KING]);
    const Bitboard rights = seen(p.castling);
    v.can_castle = (rights & RANK_1) != 0;
    // The rook's side of the king; on the standard squares, K and Q of the FEN.
    const Bitboard left_of_king = bit(v.their_king) - 1;
    v.they_castle_king_side = (rights & RANK_8 & ~left_of_king) != 0;
    v.they_castle_queen_side = (rights & RANK_8 & left_of_king) != 0;
    return v;
}

}  // namespace

void evaluation_terms(const Position& p, float* out) {
    std::int32_t values[2 * N_TERMS];
    terms::Side white, black;
    white.term = values;
    black.term = values + N_TERMS;
    white.v = view_of(p, WHITE);
    black.v = view_of(p, BLACK);
    terms::find_attacks(white);
    terms::find_attacks(black);
    white.against = terms::flipped(black.attacks);
    black.against = terms::flipped(white.attacks);

    // Groups read terms of the groups before them, the other side's too.
    for (const auto group : {terms::material_terms, terms::pawn_terms, terms::piece_terms,
                             terms::threat_terms, terms::passed_terms, terms::king_terms}) {
        group(white, black);
        group(black, white);
    }
    terms::scale_terms(white, black);

    for (int i = 0; i < 2 * N_TERMS; ++i) out[i] = static_cast<float>(values[i]);
    out[OUTPOST_TOTAL] *= 0.5f;
    out[N_TERMS + OUTPOST_TOTAL] *= 0.5f;
}

}  // namespace tabia::chess
