// The formulas of the search, one function each, so that they can be tested by hand-made numbers.
//
// Q is in -1 .. 1 from the view of the side that chooses; a win rate is (Q + 1) / 2.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "mcts/numbers.hpp"

namespace tabia::mcts {

// Exploration rate of AlphaZero (Silver et al. 2018): grows slowly with the visits of the node.
inline double puct_rate(double visits, double c_base, double c_init) {
    return log_of((1 + visits + c_base) / c_base) + c_init;
}

// `rate` is puct_rate times the root of the node's visits.
inline double puct_score(double q, double prior, double visits, double rate) {
    return q + rate * prior / (1 + visits);
}

// The Go player's priority. Its text gives Q as Black's win rate and C * Q for Black, C * (1 - Q)
// for White: in both the win rate of the side to move.
inline double go_player_score(double win_rate, double prior, double visits, double c,
                              double temperature, double root_of_total, double visit_floor) {
    const double n = visits < visit_floor ? visit_floor : visits;
    return c * win_rate + temperature * prior * root_of_total / n;
}

// The Go player's final rule: (Q + 0.5) P for Black and (1.5 - Q) P for White, Q Black's win rate:
// in both the win rate of the side to move, plus a half, times the prior.
inline double go_player_choice(double win_rate, double prior) { return (win_rate + 0.5) * prior; }

// Logarithm of a prior, which may have underflowed to 0.
inline double log_prior(double prior) { return log_of(prior < 1e-30 ? 1e-30 : prior); }

// Danihelka et al. 2022, equation 8, on a win rate.
inline double gumbel_sigma(double win_rate, double most_visits, double c_visit, double c_scale) {
    return (c_visit + most_visits) * c_scale * win_rate;
}

// Value of edges without a visit (same paper, equation 33): the node's own value mixed with the
// visited edges' mean, weighted by their priors.
inline double gumbel_mixed_value(double own, double sum_visits, double visited_prior,
                                 double prior_times_q) {
    if (sum_visits == 0 || visited_prior <= 0) return own;
    return (own + sum_visits * (prior_times_q / visited_prior)) / (1 + sum_visits);
}

// Sequential halving: how many visits the edge of each simulation shall have had before it.
// `considered` edges share the first phase; then half of them go on, and so forth, down to two,
// which share what is left. Phases get equal shares of the simulations.
inline std::vector<std::uint32_t> halving_schedule(std::uint32_t considered,
                                                   std::uint32_t simulations) {
    std::vector<std::uint32_t> schedule;
    schedule.reserve(simulations);
    if (considered <= 1) {
        for (std::uint32_t i = 0; i < simulations; ++i) schedule.push_back(i);
        return schedule;
    }
    std::uint32_t phases = 0;
    while ((1U << phases) < considered) ++phases;
    std::uint32_t left = considered, visits = 0;
    while (schedule.size() < simulations) {
        std::uint32_t each = simulations / (phases * left);
        if (each == 0) each = 1;
        for (std::uint32_t turn = 0; turn < each; ++turn, ++visits)
            for (std::uint32_t i = 0; i < left && schedule.size() < simulations; ++i)
                schedule.push_back(visits);
        left = left / 2 < 2 ? 2 : left / 2;
    }
    return schedule;
}

}  // namespace tabia::mcts
