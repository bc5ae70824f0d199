// What a searched root says, and the move that is played there.
#pragma once

#include <cstdint>
#include <vector>

#include "mcts/searcher.hpp"
#include "mcts/tree.hpp"

namespace tabia::mcts {

// Every edge in the tree's order; `code` is the tree's move.
std::vector<EdgeReport> edge_reports(const Tree& tree);

// Index into the reports, or -1 if there are none. `gumbel` has each edge's score and is read by
// Choice::GUMBEL only, `searched` the visits of this search alone.
int chosen_edge(const std::vector<EdgeReport>& edges, Choice rule, double temperature,
                std::uint64_t seed, bool solve, const std::vector<double>& gumbel,
                const std::vector<std::uint32_t>& searched);

// The edge that play is expected to follow: a proven win, else the most visited; -1 if none was
// visited.
int main_edge(const Node* node);

}  // namespace tabia::mcts
