// The searcher of one game: `GameSearch<ChessState>` and its like. See searcher.hpp.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "mcts/crew.hpp"
#include "mcts/numbers.hpp"
#include "mcts/root.hpp"
#include "mcts/searcher.hpp"
#include "mcts/state.hpp"
#include "mcts/tree.hpp"

namespace tabia::mcts {

template <State S>
class GameSearch final : public Searcher {
  public:
    // Reads a game's start, or says in `fault` what is wrong with it.
    using Reader = std::function<S(const std::string& start, std::string& fault)>;

    GameSearch(int slots, int history, const Config& config, Reader reader)
        : Searcher(slots, history, config), reader_(std::move(reader)) {
        std::string fault;
        const S start = reader_("", fault);
        shape_ = {start.planes(history), start.rows(), start.columns(), start.labels()};
        for (int i = 0; i < slots; ++i) games_.push_back(std::make_unique<Game>(start, config_));
    }

    Shape shape() const override { return shape_; }

    std::string reset(int slot, const std::string& start, const Move* codes, int n) override {
        std::string fault;
        S state = reader_(start, fault);
        if (!fault.empty()) return fault;
        for (int i = 0; i < n; ++i) {
            const int move = state.from_code(codes[i]);
            if (move < 0) return "move " + std::to_string(i + 1) + " is not legal";
            state.play(static_cast<Move>(move));
        }
        state.settle();
        Game& game = *games_[slot];
        game.state = std::move(state);
        game.tree.clear();
        game.stop();
        return {};
    }

    bool play(int slot, Move code) override {
        Game& game = *games_[slot];
        const int move = game.state.from_code(code);
        if (move < 0) return false;
        game.tree.advance(static_cast<Move>(move));
        game.state.play(static_cast<Move>(move));
        game.state.settle();
        game.stop();
        return true;
    }

    void forget(int slot) override {
        games_[slot]->tree.clear();
        games_[slot]->stop();
    }

    void begin(int slot, std::uint32_t simulations, std::uint64_t seed, bool noise) override {
        Game& game = *games_[slot];
        game.asked = game.left = simulations;
        game.seed = seed;
        game.noise = noise;
        game.is_begun = true;
        game.is_prepared = false;
        game.leaves = 0;
    }

    std::uint32_t left(int slot) const override {
        const Game& game = *games_[slot];
        return game.is_begun && !game.is_settled() ? game.left : 0;
    }
    std::uint32_t done(int slot) const override {
        return games_[slot]->asked - games_[slot]->left;
    }

    int select(int leaves, int room, float* planes, std::int32_t* slot_of) override {
        const std::size_t size =
            static_cast<std::size_t>(shape_.planes) * shape_.rows * shape_.columns;
        waiting_ = 0;
        const int n = slots();
        for (int turn = 0; turn < n; ++turn) {
            const int slot = (next_slot_ + turn) % n;
            Game& game = *games_[slot];
            if (!game.wants()) continue;
            if (waiting_ + leaves > room) {
                next_slot_ = slot;
                return waiting_;
            }
            for (int i = 0; i < leaves && game.wants(); ++i) {
                if (static_cast<int>(leaves_.size()) == waiting_) leaves_.emplace_back();
                Leaf& leaf = leaves_[waiting_];
                const Reached reached = descend(game, leaf.path, leaf.node, true);
                if (reached == Reached::COLLISION) break;
                if (reached == Reached::END) {
                    --i;
                    continue;
                }
                leaf.slot = slot;
                leaf.labels.resize(leaf.node->n_edges);
                for (int edge = 0; edge < leaf.node->n_edges; ++edge)
                    leaf.labels[edge] =
                        static_cast<std::uint16_t>(game.state.label(leaf.node->moves[edge]));
                game.state.encode(history(), planes + size * waiting_);
                slot_of[waiting_] = slot;
                game.state.rewind();
                ++waiting_;
            }
            game.state.rewind();
        }
        next_slot_ = 0;
        return waiting_;
    }

    void expand(const float* logits, const float* values) override {
        float priors[S::MAX_MOVES];
        double weights[S::MAX_MOVES];
        for (int i = 0; i < waiting_; ++i) {
            Leaf& leaf = leaves_[i];
            Game& game = *games_[leaf.slot];
            const float* row = logits + static_cast<std::size_t>(shape_.labels) * i;
            const int n = leaf.node->n_edges;
            double top = row[leaf.labels[0]], sum = 0;
            for (int edge = 1; edge < n; ++edge)
                top = std::max<double>(top, row[leaf.labels[edge]]);
            for (int edge = 0; edge < n; ++edge)
                sum += weights[edge] = exp_of(row[leaf.labels[edge]] - top);
            for (int edge = 0; edge < n; ++edge)
                priors[edge] = static_cast<float>(weights[edge] / sum);
            game.tree.evaluate(leaf.node, priors, std::clamp<double>(values[i], -1, 1));
            game.tree.back_up(leaf.path, leaf.node, true);
        }
        waiting_ = 0;
    }

    void drop() override {
        for (int i = 0; i < waiting_; ++i) forget(leaves_[i].slot);
        waiting_ = 0;
    }

    int pending() const override { return waiting_; }

    void run_constant() override {
        run([](Game&, Node*) { return 0.0; });
    }

    void run_rollouts(int rollouts, int leaves, int threads) override {
        if (leaves > 1) {
            Crew crew(std::min(threads, leaves));
            std::vector<Guess> guesses;
            for (auto& held : games_) guess_in_batches(*held, rollouts, leaves, crew, guesses);
            return;
        }
        run([rollouts](Game& game, Node* node) {
            Random random = Random::stream(~game.seed, game.leaves++);
            return mean_rollout(game.state, node, rollouts, random);
        });
    }

    RootReport root(int slot) const override {
        const Game& game = *games_[slot];
        RootReport report{};
        report.side = static_cast<std::uint8_t>(game.state.side());
        Move moves[S::MAX_MOVES];
        const Ending end = game.state.ending(game.state.legal_moves(moves));
        report.is_over = end.is_over;
        report.result = end.result;
        const Node* node = game.tree.root();
        if (!node || node->is_pending) return report;
        report.is_searched = true;
        report.value = node->q;
        report.evaluation = node->evaluation;
        report.visits = node->visits;
        report.solved = static_cast<std::uint8_t>(node->solved);
        report.solved_plies = node->solved_plies;
        return report;
    }

    std::vector<EdgeReport> edges(int slot) const override {
        const Game& game = *games_[slot];
        std::vector<EdgeReport> found = edge_reports(game.tree);
        for (EdgeReport& edge : found) edge.code = game.state.code(edge.code);
        std::stable_sort(found.begin(), found.end(), [](const EdgeReport& a, const EdgeReport& b) {
            return a.visits != b.visits ? a.visits > b.visits : a.prior > b.prior;
        });
        return found;
    }

    std::vector<Move> variation(int slot, Move code, int longest) override {
        Game& game = *games_[slot];
        std::vector<Move> line;
        const Node* node = game.tree.root();
        if (!node || node->is_pending) return line;
        const int first = game.state.from_code(code);
        int edge = -1;
        for (int i = 0; i < node->n_open; ++i)
            if (node->moves[i] == first) edge = i;
        while (edge >= 0 && static_cast<int>(line.size()) < longest) {
            line.push_back(game.state.code(node->moves[edge]));
            game.state.play(node->moves[edge]);
            node = node->children[edge].node;
            edge = main_edge(node);
        }
        game.state.rewind();
        return line;
    }

    int choose(int slot, Choice rule, double temperature, std::uint64_t seed) const override {
        const Game& game = *games_[slot];
        const std::vector<EdgeReport> edges = edge_reports(game.tree);
        std::vector<double> gumbel;
        std::vector<std::uint32_t> searched(edges.size());
        if (rule == Choice::GUMBEL && !edges.empty()) {
            gumbel = game.tree.gumbel_root_scores();
            for (std::size_t i = 0; i < edges.size(); ++i)
                searched[i] = game.tree.visits_since_begin(static_cast<int>(i));
        }
        const int edge =
            chosen_edge(edges, rule, temperature, seed, config().solve, gumbel, searched);
        return edge < 0 ? -1 : game.state.code(edges[edge].code);
    }

    std::size_t bytes(int slot) const override { return games_[slot]->tree.bytes(); }
    void encode(int slot, float* planes) const override {
        games_[slot]->state.encode(history(), planes);
    }
    std::vector<Move> legal(int slot) const override {
        const S& state = games_[slot]->state;
        Move moves[S::MAX_MOVES];
        const int n = state.legal_moves(moves);
        std::vector<Move> codes;
        if (state.ending(n).is_over) return codes;
        for (int i = 0; i < n; ++i) codes.push_back(state.code(moves[i]));
        std::sort(codes.begin(), codes.end());
        return codes;
    }
    std::vector<Move> legal_labels(int slot) const override {
        const S& state = games_[slot]->state;
        Move moves[S::MAX_MOVES];
        const int n = state.legal_moves(moves);
        if (state.ending(n).is_over) return {};
        std::vector<std::pair<Move, Move>> found;
        for (int i = 0; i < n; ++i) {
            found.emplace_back(state.code(moves[i]), static_cast<Move>(state.label(moves[i])));
        }
        std::sort(found.begin(), found.end());
        std::vector<Move> labels;
        for (const auto& [code, label] : found) labels.push_back(label);
        return labels;
    }

  private:
    struct Game {
        Game(const S& start, const Config& config) : state(start), tree(config) {}
        void stop() {
            asked = left = 0;
            is_begun = is_prepared = false;
        }
        bool is_settled() const {
            const Node* root = tree.root();
            return root && root->solved != Solved::NO &&
                   (root->is_terminal || tree.config().solve);
        }
        // Whether a simulation, or the root's own evaluation, is still to come.
        bool wants() const { return is_begun && !is_settled() && (left > 0 || !tree.root()); }

        S state;
        Tree tree;
        std::uint32_t asked = 0, left = 0;
        std::uint64_t seed = 0, leaves = 0;
        bool noise = false, is_begun = false, is_prepared = false;
    };
    struct Leaf {
        Path path;
        Node* node;
        int slot;
        std::vector<std::uint16_t> labels;
    };
    // A leaf that is rolled out beside others, on a copy of its state.
    struct Guess {
        Path path;
        Node* node;
        S state;
        Random random;
        double value;
    };
    enum class Reached { LEAF, END, COLLISION };

    static double mean_rollout(S& state, const Node* node, int rollouts, Random& random) {
        double sum = 0;
        for (int i = 0; i < rollouts; ++i) sum += state.rollout(random);
        return (node->side == 0 ? sum : -sum) / rollouts;
    }

    // All simulations of a game. The tree is this thread's alone; random numbers are a leaf's own
    // and values go up in the order of the leaves, so that nothing depends on the crew.
    void guess_in_batches(Game& game, int rollouts, int leaves, Crew& crew,
                          std::vector<Guess>& guesses) {
        const std::function<void(int)> roll_out = [&guesses, rollouts](int i) {
            Guess& guess = guesses[i];
            guess.value = mean_rollout(guess.state, guess.node, rollouts, guess.random);
        };
        Path path;
        Node* node = nullptr;
        while (game.wants()) {
            int n = 0;
            while (n < leaves && game.wants()) {
                const Reached reached = descend(game, path, node, true);
                if (reached == Reached::COLLISION) break;
                if (reached == Reached::END) continue;
                const Random random = Random::stream(~game.seed, game.leaves++);
                if (n == static_cast<int>(guesses.size())) {
                    guesses.push_back({path, node, game.state, random, 0});
                } else {
                    Guess& guess = guesses[n];
                    guess.path = path;
                    guess.node = node;
                    guess.state = game.state;
                    guess.random = random;
                }
                ++n;
            }
            if (n == 0) continue;
            try {
                crew.run(n, roll_out);
            } catch (...) {
                game.tree.clear();  // nodes of it still wait
                game.stop();
                game.state.rewind();
                throw;
            }
            for (int i = 0; i < n; ++i) {
                game.tree.evaluate_uniform(guesses[i].node, guesses[i].value);
                game.tree.back_up(guesses[i].path, guesses[i].node, true);
            }
        }
        game.state.rewind();
    }

    // One simulation from the root down: to a new node that wants its evaluation, to an end, whose
    // value is sent up at once, or to a node that already waits. The state is left where it ended.
    Reached descend(Game& game, Path& path, Node*& leaf, bool flights) {
        path.clear();
        Tree& tree = game.tree;
        Move moves[S::MAX_MOVES];
        const auto arrive = [&]() -> Node* {
            const int n = game.state.legal_moves(moves);
            const Ending end = game.state.ending(n);
            const int side = game.state.side();
            if (!end.is_over) return tree.add_pending(side, moves, n);
            const int own = side == 0 ? end.result : -end.result;
            return tree.add_terminal(side, own > 0   ? Solved::WIN
                                           : own < 0 ? Solved::LOSS
                                                     : Solved::DRAW);
        };
        if (!tree.root()) {
            leaf = arrive();
            if (leaf->is_terminal) {
                tree.back_up(path, leaf, false);
                return Reached::END;
            }
            if (flights) tree.mark(path, leaf);
            return Reached::LEAF;
        }
        Node* node = tree.root();
        if (node->is_pending) return Reached::COLLISION;
        if (!game.is_prepared) {
            tree.begin(game.left, game.seed, game.noise);
            game.is_prepared = true;
        }
        game.state.rewind();
        for (;;) {
            const int edge = ends_well(game, node)
                                 ? node->n_open
                                 : tree.select(node, static_cast<int>(path.size()));
            path.push_back({node, edge});
            game.state.play(node->moves[edge]);
            if (edge == node->n_open) {
                leaf = arrive();
                tree.open(node, leaf);
                --game.left;
                if (leaf->is_terminal) {
                    tree.back_up(path, leaf, false);
                    return Reached::END;
                }
                if (flights) tree.mark(path, leaf);
                return Reached::LEAF;
            }
            node = node->children[edge].node;
            if (node->is_pending) return Reached::COLLISION;
            if (node->solved != Solved::NO && (node->is_terminal || config().solve)) {
                leaf = node;
                --game.left;
                tree.back_up(path, leaf, false);
                return Reached::END;
            }
        }
    }

    // Whether a move is known to end the game well for who is to move, and was not tried: then it is
    // the node's next edge. What a net thinks of it does not matter.
    bool ends_well(Game& game, Node* node) {
        if constexpr (requires(const S& state) { state.winning_end(); }) {
            if (!config().solve || node->n_open) return false;
            const int move = game.state.winning_end();
            return move >= 0 && game.tree.bring_forward(node, static_cast<Move>(move));
        }
        return false;
    }

    template <typename Evaluate>
    void run(Evaluate&& evaluate) {
        Path path;
        Node* leaf = nullptr;
        for (auto& held : games_) {
            Game& game = *held;
            while (game.wants()) {
                if (descend(game, path, leaf, false) != Reached::LEAF) continue;
                game.tree.evaluate_uniform(leaf, evaluate(game, leaf));
                game.tree.back_up(path, leaf, false);
            }
            game.state.rewind();
        }
    }

    Reader reader_;
    Shape shape_{};
    std::vector<std::unique_ptr<Game>> games_;
    std::vector<Leaf> leaves_;
    int waiting_ = 0, next_slot_ = 0;
};

}  // namespace tabia::mcts
