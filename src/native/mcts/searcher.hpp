// Many games searched at once, whatever the game: what the bindings and tests use.
//
// Each slot holds one game and its tree. A search of a slot is begun with a number of simulations
// and a seed; then either `run_constant` or `run_rollouts` does all of it, or leaves are taken in
// batches: `select` fills arrays with positions, the caller evaluates them, `expand` takes priors
// and values. A slot takes part in a batch with all the leaves that it wants or with none, so its
// results do not depend on which other games are searched beside it.
//
// The root's own evaluation comes first and is no simulation.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "go/rules.hpp"
#include "mcts/config.hpp"
#include "mcts/state.hpp"
#include "mcts/tree.hpp"

namespace tabia::mcts {

struct Shape {
    int planes, rows, columns, labels;
};

// One edge of a root. `q` is from the view of the side to move; without a visit it is the value that
// the search takes for it.
struct EdgeReport {
    Move code;
    std::uint32_t visits;
    double q;
    float prior;        // without noise
    float noisy_prior;  // as searched
    double improved;    // improved policy (Danihelka et al. 2022)
    std::uint8_t solved;  // result for the side to move: 0 not proven, 1 win, 2 draw, 3 loss
    std::uint16_t solved_plies;
};

struct RootReport {
    double value;  // backed up, view of the side to move
    double evaluation;
    std::uint32_t visits;
    std::uint8_t side;
    std::uint8_t solved;
    std::uint16_t solved_plies;
    bool is_over;     // the game has ended
    bool is_searched; // the root has been evaluated
    int result;       // first player's view, of a game that has ended
};

// How a move is chosen from a root.
enum class Choice : std::uint8_t {
    VISITS,     // the most visited, or drawn by visits to the power of 1 / temperature
    GO_PLAYER,  // (win rate + 0.5) * prior, of the visited
    GUMBEL,     // the best of the most visited by Gumbel number, prior and sigma of Q
    VALUE,      // the highest Q, of the visited
};

class Searcher {
  public:
    virtual ~Searcher() = default;

    const Config& config() const { return config_; }
    int slots() const { return slots_; }
    int history() const { return history_; }
    virtual Shape shape() const = 0;

    // A new game in a slot, played on by codes. Says what is wrong, or returns an empty string.
    virtual std::string reset(int slot, const std::string& start, const Move* codes, int n) = 0;
    // Plays a move and keeps what the tree knows of it. False if it is not legal.
    virtual bool play(int slot, Move code) = 0;
    // Forgets the slot's tree but not its game.
    virtual void forget(int slot) = 0;

    virtual void begin(int slot, std::uint32_t simulations, std::uint64_t seed, bool noise) = 0;
    // Simulations of the search that are still to come; 0 too when the root is proven or over.
    virtual std::uint32_t left(int slot) const = 0;
    // Simulations that `begin` asked for and that were done.
    virtual std::uint32_t done(int slot) const = 0;

    // Takes up to `room` leaves, `leaves` at most a slot, and writes their planes; which slot each
    // belongs to goes to `slot_of`. Returns how many; 0 when all searches are done.
    virtual int select(int leaves, int room, float* planes, std::int32_t* slot_of) = 0;
    // Evaluations of the leaves of the last `select`, in its order. Logits [n, labels] of all
    // moves: softmax over the legal ones. Values for the side to move, -1 .. 1.
    virtual void expand(const float* logits, const float* values) = 0;
    // Gives up the leaves of the last `select`, and the trees and searches that they belong to.
    virtual void drop() = 0;
    virtual int pending() const = 0;

    // All simulations of all searches, with equal priors and value 0.
    virtual void run_constant() = 0;
    // The same with the mean result of `rollouts` random games from each leaf. Up to `leaves` of a
    // game are rolled out side by side, spread by virtual loss, on so many threads; what is found
    // depends on `leaves`, not on `threads`. Throws std::system_error without threads to be had.
    virtual void run_rollouts(int rollouts, int leaves, int threads) = 0;

    virtual RootReport root(int slot) const = 0;
    // Every edge of the root, most visited first; of equals the one with the higher prior.
    virtual std::vector<EdgeReport> edges(int slot) const = 0;
    // Codes of the likeliest play after the root's move of that code, that move first.
    virtual std::vector<Move> variation(int slot, Move code, int longest) = 0;
    // The code of a move, -1 where there is none. Proven wins go first and proven losses last if
    // the search solves. `temperature` 0 takes the best; only VISITS draws otherwise.
    virtual int choose(int slot, Choice rule, double temperature, std::uint64_t seed) const = 0;
    virtual std::size_t bytes(int slot) const = 0;
    // Planes and legal codes of the slot's present position, for tests and callers that look.
    virtual void encode(int slot, float* planes) const = 0;
    virtual std::vector<Move> legal(int slot) const = 0;
    // Labels of the legal moves in the policy, in the order of `legal`.
    virtual std::vector<Move> legal_labels(int slot) const = 0;

  protected:
    Searcher(int slots, int history, const Config& config)
        : config_(config), slots_(slots), history_(history) {}

    Config config_;
    int slots_, history_;
};

std::unique_ptr<Searcher> make_chess(int slots, int history, const Config& config,
                                     const Limits& limits);
std::unique_ptr<Searcher> make_xiangqi(int slots, int history, const Config& config,
                                       const Limits& limits);
std::unique_ptr<Searcher> make_go(int slots, int history, const Config& config,
                                  const Limits& limits, int size, const go::Rules& rules);

}  // namespace tabia::mcts
