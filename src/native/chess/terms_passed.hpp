// Evaluation terms. Group Passed pawns.
#pragma once

#include "chess/terms_view.hpp"

namespace tabia::chess::terms {

void passed_terms(Side& s, const Side& other);

}  // namespace tabia::chess::terms
