// Which edge a simulation follows: the rules of config.hpp.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "mcts/formulas.hpp"
#include "mcts/numbers.hpp"
#include "mcts/tree.hpp"

namespace tabia::mcts {
namespace {

constexpr double LOWEST = -std::numeric_limits<double>::infinity();
// Rates kept; beyond, they are computed.
constexpr std::size_t KEPT_RATES = 1 << 14;

}  // namespace

double Tree::rate(std::uint32_t visits) const {
    const auto computed = [this](double n) {
        return puct_rate(n, config_->c_base, config_->c_init) * std::sqrt(n);
    };
    if (visits >= KEPT_RATES) return computed(visits);
    while (rates_.size() <= visits) rates_.push_back(computed(static_cast<double>(rates_.size())));
    return rates_[visits];
}

double Tree::fpu(const Node* node) const {
    const bool is_noisy = is_noisy_ && node == root_;
    const double value = is_noisy ? config_->noisy_fpu_value : config_->fpu_value;
    return config_->fpu == Fpu::FIXED ? value : node->q - value * std::sqrt(node->open_prior);
}

int Tree::select(const Node* node, int depth) const {
    switch (config_->rule) {
        case Rule::GO_PLAYER: return select_go_player(node, depth);
        case Rule::GUMBEL: return depth == 0 ? select_gumbel_root(node) : select_improved(node);
        case Rule::PUCT: break;
    }
    const int forced = is_noisy_ && config_->forced > 0 && depth == 0 ? forced_edge() : -1;
    return forced >= 0 ? forced : select_puct(node);
}

// Wu, "Accelerating Self-Play Learning in Go" (2019): an edge that noise brought up is searched
// enough to show what it is worth.
int Tree::forced_edge() const {
    for (int i = 0; i < root_->n_open; ++i) {
        const Child& child = root_->children[i];
        const double visits = child.visits + child.flights;
        if (is_lost(child) || !child.visits) continue;
        if (visits * visits < config_->forced * root_->priors[i] * root_->visits) return i;
    }
    return -1;
}

int Tree::select_puct(const Node* node) const {
    const std::uint32_t loss = config_->virtual_loss;
    const double scale = rate(node->visits + node->flights * loss);
    double best = LOWEST;
    int pick = 0;
    for (int i = 0; i < node->n_open; ++i) {
        const Child& child = node->children[i];
        if (is_lost(child)) continue;
        double q = child.q, visits = child.visits;
        if (child.flights) {
            const double lost = static_cast<double>(child.flights) * loss;
            visits += lost;
            if (child.solved == Solved::NO) q = (child.q * child.visits - lost) / visits;
        }
        const double score = puct_score(q, node->priors[i], visits, scale);
        if (score > best) {
            best = score;
            pick = i;
        }
    }
    const int next = node->n_open;
    if (next < node->n_edges && puct_score(fpu(node), node->priors[next], 0, scale) > best)
        pick = next;
    return pick;
}

int Tree::select_go_player(const Node* node, int depth) const {
    const Config& c = *config_;
    const double loss = c.virtual_loss, temperature = c.temperature_at(depth);
    const double root_of_total = std::sqrt(node->visits + node->flights * loss);
    const double unvisited = win_rate(fpu(node));
    const auto score = [&](double rate, double prior, double visits) {
        return go_player_score(rate, prior, visits, c.c, temperature, root_of_total,
                               c.visit_floor);
    };
    double best = LOWEST;
    int pick = 0;
    for (int i = 0; i < node->n_open; ++i) {
        const Child& child = node->children[i];
        if (is_lost(child)) continue;
        // What is on its way counts as visits only: a minimum has no share for a loss to enter.
        const double visits = child.visits + child.flights * loss;
        const double rate = child.visits ? win_rate(child.q) : unvisited;
        const double found = score(rate, node->priors[i], visits);
        if (found > best) {
            best = found;
            pick = i;
        }
    }
    const int next = node->n_open;
    if (next < node->n_edges && score(unvisited, node->priors[next], 0) > best) pick = next;
    return pick;
}

// --- Gumbel ------------------------------------------------------------------------------

double Tree::mixed_value(const Node* node, const float* priors) const {
    double visits = 0, prior = 0, weighted = 0;
    for (int i = 0; i < node->n_open; ++i) {
        const Child& child = node->children[i];
        if (!child.visits) continue;
        visits += child.visits;
        prior += priors[i];
        weighted += priors[i] * child.q;
    }
    return gumbel_mixed_value(node->evaluation, visits, prior, weighted);
}

void Tree::improved_policy(const Node* node, const float* priors, double* out) const {
    const double mixed = mixed_value(node, priors);
    double most = 0;
    for (int i = 0; i < node->n_open; ++i) most = std::max<double>(most, node->children[i].visits);
    const auto logit = [&](int i, double q) {
        return log_prior(priors[i]) +
               gumbel_sigma(win_rate(q), most, config_->c_visit, config_->c_scale);
    };
    double top = LOWEST;
    for (int i = 0; i < node->n_edges; ++i) {
        const bool known = i < node->n_open && node->children[i].visits;
        out[i] = logit(i, known ? node->children[i].q : mixed);
        top = std::max(top, out[i]);
    }
    double sum = 0;
    for (int i = 0; i < node->n_edges; ++i) sum += out[i] = exp_of(out[i] - top);
    for (int i = 0; i < node->n_edges; ++i) out[i] /= sum;
}

int Tree::select_improved(const Node* node) const {
    const double mixed = mixed_value(node, node->priors);
    double most = 0, total = 0;
    for (int i = 0; i < node->n_open; ++i) {
        most = std::max<double>(most, node->children[i].visits);
        total += node->children[i].visits + node->children[i].flights;
    }
    const auto sigma = [&](double q) {
        return gumbel_sigma(win_rate(q), most, config_->c_visit, config_->c_scale);
    };
    // The softmax's terms relative to that of an unvisited edge, whose exponential is 1; all the
    // unvisited ones together weigh what prior is left.
    const double base = sigma(mixed);
    double top = base;
    for (int i = 0; i < node->n_open; ++i)
        if (node->children[i].visits) top = std::max(top, sigma(node->children[i].q));
    const double unvisited = exp_of(base - top);
    double sum = std::max(0.0, 1 - node->open_prior) * unvisited;
    const auto weight = [&](int i) {
        const Child& child = node->children[i];
        return node->priors[i] * (child.visits ? exp_of(sigma(child.q) - top) : unvisited);
    };
    for (int i = 0; i < node->n_open; ++i) sum += weight(i);
    if (sum <= 0) sum = 1;
    double best = LOWEST;
    int pick = 0;
    for (int i = 0; i < node->n_open; ++i) {
        const Child& child = node->children[i];
        if (is_lost(child)) continue;
        const double share = (child.visits + child.flights) / (1 + total);
        const double score = weight(i) / sum - share;
        if (score > best) {
            best = score;
            pick = i;
        }
    }
    const int next = node->n_open;
    if (next < node->n_edges && node->priors[next] * unvisited / sum > best) pick = next;
    return pick;
}

std::uint32_t Tree::visits_since_begin(int edge) const {
    if (edge >= root_->n_open) return 0;
    const Child& child = root_->children[edge];
    const std::uint32_t before =
        edge < static_cast<int>(earlier_.size()) ? earlier_[edge] : 0;
    return child.visits + child.flights - before;
}

std::vector<double> Tree::gumbel_root_scores() const {
    const float* priors = clean_priors();
    const double mixed = mixed_value(root_, priors);
    double most = 0;
    for (int i = 0; i < root_->n_open; ++i)
        most = std::max<double>(most, root_->children[i].visits);
    std::vector<double> scores(root_->n_edges);
    for (int i = 0; i < root_->n_edges; ++i) {
        const bool known = i < root_->n_open && root_->children[i].visits;
        const double rate = win_rate(known ? root_->children[i].q : mixed);
        scores[i] = (gumbel_.empty() ? 0 : gumbel_[i]) + log_prior(priors[i]) +
                    gumbel_sigma(rate, most, config_->c_visit, config_->c_scale);
    }
    return scores;
}

int Tree::select_gumbel_root(const Node* node) const {
    std::uint32_t done = 0;
    for (int i = 0; i < node->n_open; ++i) done += visits_since_begin(i);
    const std::uint32_t wanted =
        done < schedule_.size() ? schedule_[done] : std::numeric_limits<std::uint32_t>::max();
    // An edge that was proven lost drops out of the schedule, which then has none with the wanted
    // visits left: the best of the most visited is followed instead.
    std::uint32_t reached = 0;
    const auto usable = [&](int i) { return !is_lost(node->children[i]); };
    for (int i = 0; i < node->n_open; ++i)
        if (usable(i)) reached = std::max(reached, visits_since_begin(i));
    const int next = node->n_open;
    const std::vector<double> scores = gumbel_root_scores();
    const auto pick_with = [&](std::uint32_t visits) {
        double best = LOWEST;
        int pick = -1;
        for (int i = 0; i < node->n_open; ++i) {
            if (!usable(i) || visits_since_begin(i) != visits) continue;
            if (scores[i] > best) {
                best = scores[i];
                pick = i;
            }
        }
        if (visits == 0 && next < node->n_edges && scores[next] > best) pick = next;
        return pick;
    };
    const int pick = pick_with(wanted);
    if (pick >= 0) return pick;
    const int instead = pick_with(reached);
    return instead >= 0 ? instead : next;
}

}  // namespace tabia::mcts
