// How a tree is searched: plain numbers, filled in by whoever runs it.
#pragma once

#include <cstdint>

namespace tabia::mcts {

// How values reach the root. MEAN: the average of all evaluations below (AlphaZero). MINIMAX: the
// best child for the side to move, of those that have been evaluated.
enum class Backup : std::uint8_t { MEAN, MINIMAX };

// Which edge a simulation follows.
// PUCT       Q + C(N) P sqrt(N) / (1 + n), C(N) = log((1 + N + c_base) / c_base) + c_init
// GO_PLAYER  C w + T P sqrt(N) / max(n, floor), w the mover's win rate, T by depth
// GUMBEL     sequential halving at the root, below it the edge whose share of visits is furthest
//            under the improved policy's
enum class Rule : std::uint8_t { PUCT, GO_PLAYER, GUMBEL };

// Q of an edge that has not been visited. FIXED: `fpu_value`. REDUCTION: the node's own value less
// `fpu_value` times the root of the prior that its visited edges have together.
enum class Fpu : std::uint8_t { FIXED, REDUCTION };

struct Config {
    static constexpr int DEPTHS = 64;

    Backup backup = Backup::MEAN;
    Rule rule = Rule::PUCT;
    Fpu fpu = Fpu::REDUCTION;
    bool solve = true;  // proven results are passed up, and proven losses no longer visited
    double fpu_value = 0.3;
    double noisy_fpu_value = 0.3;  // at a root whose priors have noise
    double c_init = 1.25;
    double c_base = 19652;
    std::uint32_t virtual_loss = 1;  // visits, all lost, that an edge on the way counts for
    double noise_alpha = 0.3;        // Dirichlet noise on the root's priors
    double noise_fraction = 0.25;
    // PUCT: a root's edge with noise and n visits is followed while n < sqrt(forced * P * N).
    double forced = 0;
    // GO_PLAYER.
    double c = 1;
    double visit_floor = 1;
    int n_temperatures = 1;  // the last one holds for all greater depths
    double temperature[DEPTHS] = {1};
    // GUMBEL.
    std::uint32_t considered = 16;
    double c_visit = 50;
    double c_scale = 1;

    double temperature_at(int depth) const {
        return temperature[depth < n_temperatures ? depth : n_temperatures - 1];
    }
};

}  // namespace tabia::mcts
