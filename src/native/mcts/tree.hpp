// The tree of one game: nodes, visited edges, values on their way to the root.
//
// A node's edges are sorted by prior, highest first. Edges without a visit have equal Q, so that the
// first of them is the best of them: only visited edges have a `Child` and are looked at one by one.
//
//   Node ── moves    [n_edges]  uint16   the edge's move, in the game's code
//        ── priors   [n_edges]  float
//        ── children [n_open]   Child    the visited edges: the first n_open ones
//
// Values are in -1 .. 1. A node's are from the view of its side to move, an edge's from the view of
// the side that chooses it: the node's own side.
#pragma once

#include <cstdint>
#include <vector>

#include "mcts/arena.hpp"
#include "mcts/config.hpp"

namespace tabia::mcts {

using Move = std::uint16_t;

// A result that is certain, from the view of the side to move.
enum class Solved : std::uint8_t { NO, WIN, DRAW, LOSS };

struct Node;

struct Child {
    double sum;  // of the values backed up, the edge's view
    double q;    // mean or minimax value, the edge's view; exact once the child is solved
    Node* node;
    std::uint32_t visits;
    std::uint16_t flights;  // simulations on their way through this edge
    Solved solved;          // the child's
};

struct Node {
    Move* moves;
    float* priors;
    Child* children;
    double sum;         // of the values backed up, the own evaluation among them
    double q;           // mean or minimax value
    double evaluation;  // what the evaluator said, or the exact value
    double open_prior;  // of the visited edges together
    std::uint32_t visits;
    std::uint16_t flights;
    std::uint16_t n_edges, n_open, room;
    std::uint16_t solved_plies;  // to the end of the game as it was proven
    Solved solved;
    std::uint8_t side;
    bool is_pending;   // waits for its evaluation
    bool is_terminal;  // the game is over: no edges
};

struct Step {
    Node* node;
    int edge;
};
using Path = std::vector<Step>;

constexpr double value_of(Solved solved) {
    return solved == Solved::WIN ? 1 : solved == Solved::LOSS ? -1 : 0;
}
constexpr double win_rate(double q) { return (q + 1) / 2; }

class Tree {
  public:
    explicit Tree(const Config& config) : config_(&config) {}
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;

    const Config& config() const { return *config_; }
    Node* root() const { return root_; }
    std::size_t bytes() const { return arena_.held(); }

    // Forgets everything.
    void clear() {
        arena_.clear();
        root_ = nullptr;
        clean_.clear();  // or the next root would be given these priors
        gumbel_.clear();
        earlier_.clear();
        schedule_.clear();
        is_noisy_ = false;
    }
    // Keeps what is below one of the root's edges, which becomes the root; its priors have no noise.
    // Forgets everything if the edge was never visited.
    void advance(Move move);

    // A node that waits for its evaluation. The first one becomes the root.
    Node* add_pending(int side, const Move* moves, int n);
    // A node where the game is over.
    Node* add_terminal(int side, Solved result);
    // Opens the node's next edge: `edge` is n_open.
    void open(Node* node, Node* child);

    // Makes a move the edge that is opened next, if the node has it and has not opened it.
    bool bring_forward(Node* node, Move move);

    // The edge that a simulation follows from a node that is neither pending nor solved.
    int select(const Node* node, int depth) const;

    // Fills a pending node in. `priors` in the order of the moves, summing to 1; value for its side.
    void evaluate(Node* node, const float* priors, double value);
    // The same with equal priors.
    void evaluate_uniform(Node* node, double value);

    // Sends the value of the path's last node up. With `flights` the path was marked before.
    void back_up(const Path& path, Node* leaf, bool flights);
    void mark(const Path& path, Node* leaf);

    // Makes the root ready for a search: its priors get noise, or its edges Gumbel numbers.
    // `simulations` is how many will be asked for, `seed` decides the random numbers.
    void begin(std::uint32_t simulations, std::uint64_t seed, bool noise);

    // The root's priors without noise, by edge.
    const float* clean_priors() const { return clean_.empty() ? root_->priors : clean_.data(); }
    // Simulations since `begin` through one of the root's edges, those on their way too.
    std::uint32_t visits_since_begin(int edge) const;
    // GUMBEL: the scores of the root's edges, [n_edges]: Gumbel number, logarithm of the prior and
    // sigma of Q.
    std::vector<double> gumbel_root_scores() const;
    // The improved policy of a node, [n_edges]: softmax of the priors' logarithms plus sigma of the
    // completed Q (Danihelka et al. 2022, equation 11).
    void improved_policy(const Node* node, const float* priors, double* out) const;

    double fpu(const Node* node) const;

  private:
    int select_puct(const Node* node) const;
    int forced_edge() const;
    int select_go_player(const Node* node, int depth) const;
    int select_gumbel_root(const Node* node) const;
    int select_improved(const Node* node) const;
    double rate(std::uint32_t visits) const;
    double mixed_value(const Node* node, const float* priors) const;
    void update_solved(Node* node) const;
    void update_minimax(Node* node) const;
    Node* copy(const Node* node, Arena& arena) const;
    Node* new_node(int side);
    void sort_unopened(Node* node, const double* key);
    // Whether the edge's result is certain and lost for the side that chooses.
    bool is_lost(const Child& child) const { return config_->solve && child.solved == Solved::WIN; }

    const Config* config_;
    Arena arena_;
    Arena spare_;
    Node* root_ = nullptr;
    std::vector<float> clean_;            // the root's priors before noise
    std::vector<double> gumbel_;          // by the root's edges
    std::vector<std::uint32_t> earlier_;  // visits of the root's edges before `begin`
    std::vector<std::uint32_t> schedule_;
    bool is_noisy_ = false;  // whether the root's priors have noise
    mutable std::vector<double> rates_;   // puct_rate times the root of the visits, by visits
};

}  // namespace tabia::mcts
