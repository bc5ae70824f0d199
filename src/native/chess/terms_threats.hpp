// Evaluation terms. Group Threats: which of their pieces we attack, and how well they are defended.
#pragma once

#include "chess/terms_view.hpp"

namespace tabia::chess::terms {

void threat_terms(Side& s, const Side& other);

}  // namespace tabia::chess::terms
