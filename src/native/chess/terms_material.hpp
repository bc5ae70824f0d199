// Evaluation terms. Groups Material and Imbalance, and the scale factor of the endgame.
#pragma once

#include "chess/terms_view.hpp"

namespace tabia::chess::terms {

void material_terms(Side& s, const Side& other);

// The scale factors of both sides; reads the terms of all other groups.
void scale_terms(Side& white, Side& black);

}  // namespace tabia::chess::terms
