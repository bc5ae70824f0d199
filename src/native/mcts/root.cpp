#include "mcts/root.hpp"

#include <algorithm>
#include <limits>

#include "mcts/formulas.hpp"
#include "mcts/numbers.hpp"

namespace tabia::mcts {
namespace {

constexpr std::uint8_t NOT = 0, WON = 1, DRAWN = 2, LOST = 3;

// The mover's result of an edge whose child is proven for the other side.
std::uint8_t turned(Solved child) {
    switch (child) {
        case Solved::WIN: return LOST;
        case Solved::DRAW: return DRAWN;
        case Solved::LOSS: return WON;
        case Solved::NO: break;
    }
    return NOT;
}

}  // namespace

std::vector<EdgeReport> edge_reports(const Tree& tree) {
    const Node* root = tree.root();
    std::vector<EdgeReport> found;
    if (!root || root->is_pending) return found;
    const float* clean = tree.clean_priors();
    std::vector<double> improved(root->n_edges);
    tree.improved_policy(root, clean, improved.data());
    for (int i = 0; i < root->n_edges; ++i) {
        EdgeReport edge{};
        edge.code = root->moves[i];
        edge.prior = clean[i];
        edge.noisy_prior = root->priors[i];
        edge.improved = improved[i];
        edge.q = tree.fpu(root);
        if (i < root->n_open) {
            const Child& child = root->children[i];
            edge.visits = child.visits;
            if (child.visits) edge.q = child.q;
            edge.solved = turned(child.solved);
            if (edge.solved) edge.solved_plies = child.node->solved_plies + 1;
        }
        found.push_back(edge);
    }
    return found;
}

int chosen_edge(const std::vector<EdgeReport>& edges, Choice rule, double temperature,
                std::uint64_t seed, bool solve, const std::vector<double>& gumbel,
                const std::vector<std::uint32_t>& searched) {
    const int n = static_cast<int>(edges.size());
    if (n == 0) return -1;
    if (solve) {
        // The quickest proven win; if every move loses, the longest way to lose.
        int win = -1, slowest = -1;
        bool all_lost = true;
        for (int i = 0; i < n; ++i) {
            const EdgeReport& edge = edges[i];
            if (edge.solved == WON && (win < 0 || edge.solved_plies < edges[win].solved_plies))
                win = i;
            all_lost &= edge.solved == LOST;
            if (edge.solved == LOST &&
                (slowest < 0 || edge.solved_plies > edges[slowest].solved_plies))
                slowest = i;
        }
        if (win >= 0) return win;
        if (all_lost) return slowest;
    }
    const auto usable = [&](int i) { return !(solve && edges[i].solved == LOST); };
    bool any_visit = false;
    for (int i = 0; i < n; ++i) any_visit |= usable(i) && edges[i].visits > 0;
    constexpr double LOWEST = -std::numeric_limits<double>::infinity();
    const auto best = [&](auto&& score) {
        double most = LOWEST;
        int pick = -1;
        for (int i = 0; i < n; ++i) {
            if (!usable(i)) continue;
            const double found = score(i);
            if (pick < 0 || found > most) {
                most = found;
                pick = i;
            }
        }
        return pick;
    };
    // Nothing visited: all that is known are the priors.
    if (!any_visit) return best([&](int i) { return static_cast<double>(edges[i].prior); });
    const auto visited = [&](int i, double score) { return edges[i].visits ? score : LOWEST; };
    switch (rule) {
        case Choice::GO_PLAYER:
            return best([&](int i) {
                return visited(i, go_player_choice(win_rate(edges[i].q), edges[i].prior));
            });
        case Choice::VALUE: return best([&](int i) { return visited(i, edges[i].q); });
        case Choice::GUMBEL: {
            std::uint32_t most = 0;
            for (int i = 0; i < n; ++i)
                if (usable(i)) most = std::max(most, searched[i]);
            return best([&](int i) { return searched[i] == most ? gumbel[i] : LOWEST; });
        }
        case Choice::VISITS: break;
    }
    if (temperature <= 0)
        return best([&](int i) { return static_cast<double>(edges[i].visits); });
    // exp(log(visits / most) / temperature): no overflow at small temperatures.
    double most = 0;
    for (int i = 0; i < n; ++i)
        if (usable(i)) most = std::max<double>(most, edges[i].visits);
    std::vector<double> weights(n, 0.0);
    double sum = 0;
    for (int i = 0; i < n; ++i)
        if (usable(i) && edges[i].visits)
            sum += weights[i] = exp_of(log_of(edges[i].visits / most) / temperature);
    double left = Random(seed).uniform() * sum;
    int last = 0;
    for (int i = 0; i < n; ++i) {
        if (weights[i] == 0) continue;
        last = i;
        left -= weights[i];
        if (left < 0) break;
    }
    return last;
}

int main_edge(const Node* node) {
    int pick = -1;
    std::uint32_t most = 0;
    for (int i = 0; i < node->n_open; ++i) {
        const Child& child = node->children[i];
        if (child.solved == Solved::LOSS) return i;
        const bool lost = child.solved == Solved::WIN && node->solved != Solved::LOSS;
        if (!lost && child.visits > most) {
            most = child.visits;
            pick = i;
        }
    }
    return pick;
}

}  // namespace tabia::mcts
