// Evaluation terms. Groups Pawns and Space.
#pragma once

#include "chess/terms_view.hpp"

namespace tabia::chess::terms {

// Reads the material of both sides.
void pawn_terms(Side& s, const Side& other);

}  // namespace tabia::chess::terms
