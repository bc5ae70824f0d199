// Tests of the search that need no Python: `mcts_tests SUBJECT`. Prints each failed claim.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "go/geometry.hpp"
#include "mcts/crew.hpp"
#include "mcts/formulas.hpp"
#include "mcts/numbers.hpp"
#include "mcts/searcher.hpp"

using namespace tabia::mcts;

namespace {

int failures = 0;

void check(bool claim, const std::string& what) {
    if (claim) return;
    ++failures;
    std::printf("FAILED: %s\n", what.c_str());
}

void near(double found, double wanted, const std::string& what) {
    check(std::abs(found - wanted) <= 1e-12 * (1 + std::abs(wanted)),
          what + ": " + std::to_string(found) + ", not " + std::to_string(wanted));
}

Limits limits(const std::string& game) {
    Limits limits;
    limits.repetitions = 3;
    limits.quiet_plies = game == "chess" ? 100 : 120;
    return limits;
}

std::unique_ptr<Searcher> make(const std::string& game, int slots, const Config& config) {
    return game == "chess" ? make_chess(slots, 1, config, limits(game))
                           : make_xiangqi(slots, 1, config, limits(game));
}

void test_numbers() {
    for (double x : {1e-300, 1e-9, 0.1, 0.5, 0.70710678, 0.9999999, 1.0, 1.5, 2.0, 3.0, 1e9, 1e300})
        near(log_of(x), std::log(x), "log of " + std::to_string(x));
    for (double x : {-700.0, -30.0, -1.0, -1e-9, 0.0, 0.3, 1.0, 12.5, 700.0})
        near(exp_of(x), std::exp(x), "exp of " + std::to_string(x));
    Random random(1);
    double sum = 0, squares = 0;
    for (int i = 0; i < 20000; ++i) {
        const double x = random.normal();
        sum += x;
        squares += x * x;
    }
    check(std::abs(sum / 20000) < 0.03, "normal numbers have mean 0");
    check(std::abs(squares / 20000 - 1) < 0.04, "normal numbers have variance 1");
    for (double alpha : {0.03, 0.3, 2.5}) {
        double mean = 0;
        for (int i = 0; i < 20000; ++i) mean += std::exp(random.log_gamma_variate(alpha)) / 20000;
        check(std::abs(mean / alpha - 1) < 0.15, "gamma variates have their shape as mean");
    }
    // The first number of seed 0 as the algorithm's authors give it.
    check(Random(0).next() == 0xE220A8397B1DCDAFULL, "splitmix64 of seed 0");
}

void test_formulas() {
    // 0.2 + (ln((1 + 100 + 19652) / 19652) + 1.25) * 0.5 * 10 / (1 + 4)
    near(puct_score(0.2, 0.5, 4, puct_rate(100, 19652, 1.25) * 10),
         0.2 + std::log(19753.0 / 19652.0) + 1.25, "PUCT");
    // 2 * 0.6 + 1.5 * 0.25 * 8 / 4 = 1.95; an unvisited edge with floor 0.5: 1.2 + 3 / 0.5 = 7.2
    near(go_player_score(0.6, 0.25, 4, 2, 1.5, 8, 1), 1.95, "the Go player's priority");
    near(go_player_score(0.6, 0.25, 0, 2, 1.5, 8, 0.5), 7.2, "the same of an unvisited edge");
    near(go_player_choice(0.6, 0.25), 0.275, "the Go player's final rule");
    near(gumbel_sigma(0.5, 30, 50, 0.1), 4, "sigma");
    near(gumbel_mixed_value(0.5, 3, 0.5, 0.1), 0.275, "mixed value");
    near(gumbel_mixed_value(0.5, 0, 0, 0), 0.5, "mixed value without visits");
    // 16 edges, 200 simulations: 4 phases of 50; 3 visits to each of 16, 6 to 8, 12 to 4, 25 to 2.
    const std::vector<std::uint32_t> schedule = halving_schedule(16, 200);
    std::vector<int> times(60);
    for (std::uint32_t visits : schedule) ++times[visits];
    bool right = schedule.size() == 200;
    for (int visits = 0; visits < 60; ++visits) {
        const int wanted = visits < 3 ? 16 : visits < 9 ? 8 : visits < 21 ? 4 : visits < 49 ? 2 : 0;
        right &= times[visits] == wanted;
    }
    check(right, "200 simulations of 16 edges are halved as 16, 8, 4, 2");
}

// From -> to, the proven length in plies.
struct Mate {
    const char* game;
    const char* fen;
    int plies;
    const char* name;
};

void test_mates() {
    const Mate mates[] = {
        {"chess", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1, "back rank"},
        {"chess", "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1", 3,
         "knights and bishops"},
        {"chess", "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 3, "two rooks"},
        {"xiangqi", "4k4/9/9/9/9/9/9/9/8R/3K4R w - - 0 1", 3, "two rooks"},
        {"xiangqi", "4k4/8R/7R1/9/9/9/9/9/9/3K5 w - - 0 1", 1, "rook behind a rook"},
    };
    // Every move of a node is tried before one is tried again, so that short mates are found first.
    Config wide;
    wide.fpu = Fpu::FIXED;
    wide.fpu_value = 1;
    for (const Mate& mate : mates) {
        const auto searcher = make(mate.game, 1, wide);
        const std::string name = std::string(mate.game) + ", " + mate.name;
        check(searcher->reset(0, mate.fen, nullptr, 0).empty(), name + " is a position");
        searcher->begin(0, 200000, 1, false);
        searcher->run_constant();
        const RootReport root = searcher->root(0);
        check(root.solved == 1, name + " is won");
        check(root.solved_plies == mate.plies,
              name + ": mate in " + std::to_string(root.solved_plies) + " plies");
        check(root.value == 1, name + " has value 1");
        const int code = searcher->choose(0, Choice::VISITS, 0, 1);
        const std::vector<Move> line =
            searcher->variation(0, static_cast<Move>(code), 99);
        check(static_cast<int>(line.size()) == mate.plies, name + " is played out");
        for (const Move move : line) check(searcher->play(0, move), name + " is legal play");
        check(searcher->root(0).is_over && searcher->root(0).result == 1, name + " ends in mate");
    }
}

void test_reuse() {
    for (const char* game : {"chess", "xiangqi"}) {
        const auto searcher = make(game, 1, {});
        searcher->begin(0, 3000, 1, false);
        searcher->run_rollouts(1, 1, 1);
        const EdgeReport best = searcher->edges(0)[0];
        const std::vector<Move> line = searcher->variation(0, best.code, 20);
        check(searcher->root(0).visits == 3001, "the root counts its own evaluation");
        searcher->play(0, best.code);
        check(searcher->root(0).visits == best.visits, "a kept tree keeps its visits");
        check(std::abs(searcher->root(0).value + best.q) < 1e-12, "and its value");
        const std::vector<EdgeReport> edges = searcher->edges(0);
        std::uint32_t sum = 0;
        for (const EdgeReport& edge : edges) sum += edge.visits;
        check(sum + 1 == best.visits, "the visits below add up");
        check(line.size() > 1 && searcher->variation(0, edges[0].code, 20).size() > 0,
              "there is a variation");
        searcher->begin(0, 500, 2, false);
        searcher->run_rollouts(1, 1, 1);
        check(searcher->root(0).visits == best.visits + 500, "a search adds to what was kept");
    }
}

// Evaluates a batch by a hash of its planes.
void evaluate(const std::vector<float>& planes, int n, int size, int labels,
              std::vector<float>& logits, std::vector<float>& values) {
    for (int i = 0; i < n; ++i) {
        std::uint64_t key = 0;
        for (int j = 0; j < size; ++j) {
            std::uint32_t bits;
            std::memcpy(&bits, &planes[static_cast<std::size_t>(i) * size + j], 4);
            if (bits) key = Random::mix(key ^ (static_cast<std::uint64_t>(j) << 32 | bits));
        }
        Random random(key);
        for (int label = 0; label < labels; ++label)
            logits[static_cast<std::size_t>(i) * labels + label] =
                static_cast<float>(4 * random.uniform());
        values[i] = static_cast<float>(2 * random.uniform() - 1);
    }
}

std::vector<std::uint32_t> visits_of(Searcher& searcher, int leaves, int room,
                                     const std::vector<int>& slots) {
    const Shape shape = searcher.shape();
    const int size = shape.planes * shape.rows * shape.columns;
    std::vector<float> planes(static_cast<std::size_t>(room) * size);
    std::vector<float> logits(static_cast<std::size_t>(room) * shape.labels), values(room);
    std::vector<std::int32_t> slot_of(room);
    for (int slot : slots) searcher.begin(slot, 100, 10 + slot, true);
    while (const int n = searcher.select(leaves, room, planes.data(), slot_of.data())) {
        evaluate(planes, n, size, shape.labels, logits, values);
        searcher.expand(logits.data(), values.data());
    }
    std::vector<std::uint32_t> found;
    for (const EdgeReport& edge : searcher.edges(slots.back())) {
        found.push_back(edge.code);
        found.push_back(edge.visits);
    }
    return found;
}

void test_batches() {
    for (const char* game : {"chess", "xiangqi"}) {
        for (int leaves : {1, 4}) {
            const auto alone = make(game, 8, {}), together = make(game, 8, {});
            const auto one = visits_of(*alone, leaves, leaves, {5});
            check(one == visits_of(*together, leaves, 9, {0, 1, 2, 3, 4, 6, 7, 5}),
                  "a game's tree does not depend on the other games");
        }
        Config heavy;
        heavy.virtual_loss = 50;
        const auto light = make(game, 1, {}), strong = make(game, 1, heavy);
        check(visits_of(*light, 1, 1, {0}) == visits_of(*strong, 1, 1, {0}),
              "virtual loss does nothing leaf by leaf");
    }
}

void test_go() {
    Config config;
    tabia::go::Rules rules;
    rules.allows_suicide = false;
    rules.komi = 0.5;
    Limits limits;
    // Black has everything; White's pass was the last move: a pass wins at once.
    const auto searcher = make_go(1, 2, config, limits, 5, rules);
    check(searcher->reset(0, "5/1XXX1/1X1X1/1XXX1/5 b - 1 0 0", nullptr, 0).empty(), "a board");
    searcher->begin(0, 2000, 1, false);
    searcher->run_constant();
    check(searcher->root(0).solved == 1 && searcher->root(0).solved_plies == 1, "a pass wins");
    check(searcher->choose(0, Choice::VISITS, 0, 1) == tabia::go::PASS, "and is chosen");
    // An empty board: rollouts run, the tree adds up.
    searcher->reset(0, "", nullptr, 0);
    searcher->begin(0, 500, 1, false);
    searcher->run_rollouts(1, 1, 1);
    check(searcher->root(0).visits == 501, "Go counts its simulations");
    check(searcher->edges(0).size() == 26, "25 points and the pass");
    check(visits_of(*searcher, 1, 1, {0}).size() == 52, "batches run in Go");
}

// Edge by edge: moves, visits and values after a search with random games.
std::vector<double> guessed(Searcher& searcher, int leaves, int threads) {
    searcher.reset(0, "", nullptr, 0);
    searcher.begin(0, 300, 7, false);
    searcher.run_rollouts(2, leaves, threads);
    std::vector<double> found{searcher.root(0).value};
    for (const EdgeReport& edge : searcher.edges(0))
        found.insert(found.end(), {double(edge.code), double(edge.visits), edge.q});
    return found;
}

void test_threads() {
    for (const char* game : {"chess", "xiangqi"}) {
        const auto searcher = make(game, 1, {});
        const std::vector<double> alone = guessed(*searcher, 8, 1);
        for (int threads : {2, 3, 20})
            check(guessed(*searcher, 8, threads) == alone, "threads change nothing");
        check(searcher->root(0).visits == 301, "all simulations are done");
        check(guessed(*searcher, 1, 1) != alone, "the number of leaves does");
        check(guessed(*searcher, 1, 4) == guessed(*searcher, 1, 1), "one leaf is the default");
    }
    Crew crew(3);
    std::vector<int> done(1000);
    for (int turn = 0; turn < 200; ++turn)
        crew.run(1000, [&done](int i) { ++done[i]; });
    for (const int times : done) check(times == 200, "every task is done once a batch");
    for (int turn = 0; turn < 2; ++turn) {
        bool thrown = false;
        try {
            crew.run(50, [](int i) {
                if (i == 20) throw std::runtime_error("20");
            });
        } catch (const std::runtime_error&) {
            thrown = true;
        }
        check(thrown, "what a task throws comes out");
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::string subject = argc > 1 ? argv[1] : "";
    const bool all = subject.empty();
    if (all || subject == "numbers") test_numbers();
    if (all || subject == "formulas") test_formulas();
    if (all || subject == "mates") test_mates();
    if (all || subject == "reuse") test_reuse();
    if (all || subject == "batches") test_batches();
    if (all || subject == "go") test_go();
    if (all || subject == "threads") test_threads();
    return failures ? 1 : 0;
}
