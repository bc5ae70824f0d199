// What sets of rules differ in, as far as playing and counting go.
#pragma once

#include <cstdint>

namespace tabia::go {

// What may not be repeated. SIMPLE forbids retaking a ko at once and nothing else. With a superko no
// play, but a pass, may bring back an earlier whole board: POSITIONAL, whoever is to move;
// SITUATIONAL, with the same side to move.
enum class KoRule : std::uint8_t { SIMPLE = 0, POSITIONAL = 1, SITUATIONAL = 2 };

// AREA counts stones and surrounded points, TERRITORY surrounded points and prisoners, with none
// for points of groups in seki.
enum class Scoring : std::uint8_t { AREA = 0, TERRITORY = 1 };

struct Rules {
    KoRule ko = KoRule::POSITIONAL;
    bool allows_suicide = true;
    Scoring scoring = Scoring::AREA;
    // Points that White gets, compensation for handicap stones included.
    float komi = 7.5F;
};

// The same from plain numbers, as bindings have them.
inline Rules make_rules(int ko, bool allows_suicide, int scoring, float komi) {
    return {static_cast<KoRule>(ko), allows_suicide, static_cast<Scoring>(scoring), komi};
}

}  // namespace tabia::go
