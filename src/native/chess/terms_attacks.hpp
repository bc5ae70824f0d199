// Evaluation terms. Group Attack: what each side attacks, and which pieces shield a king.
#pragma once

#include "chess/terms_view.hpp"

namespace tabia::chess::terms {

// Finds our attacks and pieces, and writes the terms of the group.
void find_attacks(Side& s);

// The same squares seen from the other side.
Attacks flipped(const Attacks& a);

}  // namespace tabia::chess::terms
