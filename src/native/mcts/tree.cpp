#include "mcts/tree.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "mcts/formulas.hpp"
#include "mcts/numbers.hpp"

namespace tabia::mcts {
namespace {

constexpr double LOWEST = -std::numeric_limits<double>::infinity();
constexpr std::uint16_t FIRST_ROOM = 4;

}  // namespace

Node* Tree::new_node(int side) {
    Node* node = arena_.allocate<Node>(1);
    std::memset(static_cast<void*>(node), 0, sizeof *node);
    node->side = static_cast<std::uint8_t>(side);
    if (!root_) root_ = node;
    return node;
}

Node* Tree::add_pending(int side, const Move* moves, int n) {
    Node* node = new_node(side);
    node->n_edges = static_cast<std::uint16_t>(n);
    node->moves = arena_.allocate<Move>(n);
    node->priors = arena_.allocate<float>(n);
    std::copy(moves, moves + n, node->moves);
    node->is_pending = true;
    return node;
}

Node* Tree::add_terminal(int side, Solved result) {
    Node* node = new_node(side);
    node->is_terminal = true;
    node->solved = result;
    node->q = node->evaluation = value_of(result);
    return node;
}

void Tree::open(Node* node, Node* child) {
    if (node->n_open == node->room) {
        const int room = std::min<int>(node->n_edges, node->room ? 2 * node->room : FIRST_ROOM);
        Child* children = arena_.allocate<Child>(room);
        std::copy(node->children, node->children + node->n_open, children);
        node->children = children;
        node->room = static_cast<std::uint16_t>(room);
    }
    node->open_prior += node->priors[node->n_open];
    node->children[node->n_open++] = {0, 0, child, 0, 0, child->solved};
}

bool Tree::bring_forward(Node* node, Move move) {
    const int next = node->n_open, n = node->n_edges;
    int place = next;
    while (place < n && node->moves[place] != move) ++place;
    if (place == n) return false;
    const auto turn = [next, place](auto* first) {
        std::rotate(first + next, first + place, first + place + 1);
    };
    turn(node->moves);
    turn(node->priors);
    if (node == root_) {
        if (!clean_.empty()) turn(clean_.data());
        if (!gumbel_.empty()) turn(gumbel_.data());
    }
    return true;
}

// --- evaluation and backup ---------------------------------------------------------------

void Tree::sort_unopened(Node* node, const double* key) {
    struct Item {
        double key;
        float prior, clean;
        double gumbel;
        Move move;
    };
    const int first = node->n_open, n = node->n_edges;
    std::vector<Item> items;
    items.reserve(n - first);
    for (int i = first; i < n; ++i)
        items.push_back({key[i], node->priors[i], clean_.empty() ? 0 : clean_[i],
                         gumbel_.empty() ? 0 : gumbel_[i], node->moves[i]});
    std::stable_sort(items.begin(), items.end(),
                     [](const Item& a, const Item& b) { return a.key > b.key; });
    for (int i = first; i < n; ++i) {
        const Item& item = items[i - first];
        node->priors[i] = item.prior;
        node->moves[i] = item.move;
        if (!clean_.empty()) clean_[i] = item.clean;
        if (!gumbel_.empty()) gumbel_[i] = item.gumbel;
    }
}

void Tree::evaluate(Node* node, const float* priors, double value) {
    struct Item {
        float prior;
        Move move;
    };
    Item items[512];
    const int n = node->n_edges;
    for (int i = 0; i < n; ++i) items[i] = {priors[i], node->moves[i]};
    const auto higher = [](const Item& a, const Item& b) { return a.prior > b.prior; };
    if (!std::is_sorted(items, items + n, higher)) std::stable_sort(items, items + n, higher);
    for (int i = 0; i < n; ++i) {
        node->priors[i] = items[i].prior;
        node->moves[i] = items[i].move;
    }
    node->q = node->evaluation = value;
    node->is_pending = false;
}

void Tree::evaluate_uniform(Node* node, double value) {
    const float prior = 1.0F / static_cast<float>(node->n_edges);
    std::fill(node->priors, node->priors + node->n_edges, prior);
    node->q = node->evaluation = value;
    node->is_pending = false;
}

void Tree::update_solved(Node* node) const {
    int plies = 0, draw_plies = 0;
    bool all = node->n_open == node->n_edges, has_draw = false;
    for (int i = 0; i < node->n_open; ++i) {
        const Child& child = node->children[i];
        if (child.solved == Solved::LOSS) {
            node->solved = Solved::WIN;
            node->solved_plies = static_cast<std::uint16_t>(child.node->solved_plies + 1);
            return;
        }
        if (child.solved == Solved::NO) {
            all = false;
        } else if (child.solved == Solved::DRAW) {
            has_draw = true;
            draw_plies = std::max(draw_plies, child.node->solved_plies + 1);
        } else {
            plies = std::max(plies, child.node->solved_plies + 1);
        }
    }
    if (!all) return;
    node->solved = has_draw ? Solved::DRAW : Solved::LOSS;
    node->solved_plies = static_cast<std::uint16_t>(has_draw ? draw_plies : plies);
}

void Tree::update_minimax(Node* node) const {
    double best = LOWEST;
    for (int i = 0; i < node->n_open; ++i)
        if (node->children[i].visits) best = std::max(best, node->children[i].q);
    if (best != LOWEST) node->q = best;
}

void Tree::back_up(const Path& path, Node* leaf, bool flights) {
    const bool is_mean = config_->backup == Backup::MEAN;
    double value = leaf->solved == Solved::NO ? leaf->evaluation : value_of(leaf->solved);
    const auto add = [is_mean](Node* node, double v) {
        ++node->visits;
        node->sum += v;
        if (node->solved != Solved::NO) node->q = value_of(node->solved);
        else if (is_mean) node->q = node->sum / node->visits;
    };
    add(leaf, value);
    if (flights) --leaf->flights;
    const Node* below = leaf;
    for (std::size_t i = path.size(); i-- > 0;) {
        Node* node = path[i].node;
        Child& child = node->children[path[i].edge];
        value = -value;
        ++child.visits;
        child.sum += value;
        if (flights) {
            --child.flights;
            --node->flights;
        }
        child.solved = below->solved;
        if (child.solved != Solved::NO) child.q = -value_of(child.solved);
        else child.q = is_mean ? child.sum / child.visits : -below->q;
        if (config_->solve && child.solved != Solved::NO && node->solved == Solved::NO)
            update_solved(node);
        if (node->solved != Solved::NO) value = value_of(node->solved);
        add(node, value);
        if (!is_mean && node->solved == Solved::NO) update_minimax(node);
        below = node;
    }
}

void Tree::mark(const Path& path, Node* leaf) {
    for (const Step& step : path) {
        ++step.node->flights;
        ++step.node->children[step.edge].flights;
    }
    ++leaf->flights;
}

// --- the root ----------------------------------------------------------------------------

void Tree::begin(std::uint32_t simulations, std::uint64_t seed, bool noise) {
    Node* root = root_;
    const int n = root->n_edges;
    is_noisy_ = noise;
    if (!clean_.empty()) std::copy(clean_.begin(), clean_.end(), root->priors);
    clean_.clear();
    gumbel_.clear();
    schedule_.clear();
    earlier_.clear();
    for (int i = 0; i < root->n_open; ++i) earlier_.push_back(root->children[i].visits);
    Random random(seed);
    std::vector<double> key(n);
    clean_.assign(root->priors, root->priors + n);
    if (config_->rule == Rule::GUMBEL) {
        gumbel_.resize(n);
        for (int i = 0; i < n; ++i) gumbel_[i] = noise ? random.gumbel() : 0;
        for (int i = 0; i < n; ++i) key[i] = gumbel_[i] + log_prior(clean_[i]);
        schedule_ = halving_schedule(std::min<std::uint32_t>(config_->considered, n), simulations);
    } else if (noise && n > 0) {
        std::vector<double> logs(n);
        for (double& value : logs) value = random.log_gamma_variate(config_->noise_alpha);
        const double top = *std::max_element(logs.begin(), logs.end());
        double sum = 0;
        for (double& value : logs) sum += value = exp_of(value - top);
        const double share = config_->noise_fraction;
        for (int i = 0; i < n; ++i)
            root->priors[i] =
                static_cast<float>((1 - share) * clean_[i] + share * (logs[i] / sum));
        std::copy(root->priors, root->priors + n, key.begin());
    } else {
        std::copy(root->priors, root->priors + n, key.begin());
    }
    sort_unopened(root, key.data());
    root->open_prior = 0;
    for (int i = 0; i < root->n_open; ++i) root->open_prior += root->priors[i];
}

Node* Tree::copy(const Node* node, Arena& arena) const {
    Node* made = arena.allocate<Node>(1);
    *made = *node;
    if (node->n_edges) {
        made->moves = arena.allocate<Move>(node->n_edges);
        made->priors = arena.allocate<float>(node->n_edges);
        std::copy(node->moves, node->moves + node->n_edges, made->moves);
        std::copy(node->priors, node->priors + node->n_edges, made->priors);
    }
    if (node->n_open) {
        made->children = arena.allocate<Child>(node->room);
        for (int i = 0; i < node->n_open; ++i) {
            made->children[i] = node->children[i];
            made->children[i].node = copy(node->children[i].node, arena);
        }
    }
    return made;
}

void Tree::advance(Move move) {
    clean_.clear();
    gumbel_.clear();
    earlier_.clear();
    schedule_.clear();
    is_noisy_ = false;
    Node* kept = nullptr;
    for (int i = 0; root_ && i < root_->n_open; ++i)
        if (root_->moves[i] == move) kept = root_->children[i].node;
    if (!kept || kept->is_pending) {
        clear();
        return;
    }
    spare_.clear();
    root_ = copy(kept, spare_);
    arena_.swap(spare_);
}

}  // namespace tabia::mcts
