// Evaluation terms. Groups Mobility and Pieces.
#pragma once

#include "chess/terms_view.hpp"

namespace tabia::chess::terms {

// Also finds the mobility area, which later groups use.
void piece_terms(Side& s, const Side& other);

}  // namespace tabia::chess::terms
