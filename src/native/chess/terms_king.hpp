// Evaluation terms. Group King: the shelter of their king and the attack on it.
#pragma once

#include "chess/terms_view.hpp"

namespace tabia::chess::terms {

// Reads the mobility of both sides.
void king_terms(Side& s, const Side& other);

}  // namespace tabia::chess::terms
