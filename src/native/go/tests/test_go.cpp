// Tests of the Go core that need no Python: `go_tests SUBJECT`. Prints each failed claim.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "go/pack.hpp"
#include "go/playout.hpp"
#include "go/position.hpp"
#include "go/random.hpp"
#include "go/score.hpp"
#include "go/text.hpp"

using namespace tabia::go;

namespace {

int failures = 0;

void check(bool claim, const std::string& what) {
    if (claim) return;
    ++failures;
    std::printf("FAILED: %s\n", what.c_str());
}

Position position(const std::string& text, const Rules& rules = {}) {
    Board board;
    int passes = 0;
    const std::string fault = parse_text(text, board, passes);
    check(fault.empty(), text + ": " + fault);
    return Position(board, passes, rules);
}

Move at(const Position& p, const std::string& vertex) { return read_vertex(vertex, p.size()); }

void play(Position& p, std::initializer_list<const char*> vertices) {
    for (const char* vertex : vertices) {
        check(p.is_legal(at(p, vertex)), std::string(vertex) + " is legal");
        p.play(at(p, vertex));
    }
}

// --- the slow twin: colours by code, every chain found by flood ------------------------------

using Colors = std::vector<int>;  // by code

Colors colors_of(const Board& board) {
    Colors colors(MAX_POINTS, 0);
    const Geometry& g = board.geometry();
    for (int i = 0; i < g.n_points; ++i) colors[g.code_of[g.cells[i]]] = board.color(g.cells[i]);
    return colors;
}

std::vector<Move> beside(Move move, int size) {
    std::vector<Move> found;
    const int row = row_of(move), column = column_of(move);
    if (row > 0) found.push_back(make_move(row - 1, column));
    if (column > 0) found.push_back(make_move(row, column - 1));
    if (column + 1 < size) found.push_back(make_move(row, column + 1));
    if (row + 1 < size) found.push_back(make_move(row + 1, column));
    return found;
}

// Stones of the chain; empty if it has a liberty.
std::vector<Move> chain_without_liberty(const Colors& colors, Move start, int size) {
    std::vector<Move> chain{start};
    for (std::size_t i = 0; i < chain.size(); ++i)
        for (const Move n : beside(chain[i], size)) {
            if (colors[n] == 0) return {};
            if (colors[n] == colors[start] &&
                std::find(chain.begin(), chain.end(), n) == chain.end())
                chain.push_back(n);
        }
    return chain;
}

Colors slow_play(Colors colors, Move move, int side, int size) {
    colors[move] = side;
    for (const Move n : beside(move, size))
        if (colors[n] == 3 - side)
            for (const Move stone : chain_without_liberty(colors, n, size)) colors[stone] = 0;
    for (const Move stone : chain_without_liberty(colors, move, size)) colors[stone] = 0;
    return colors;
}

void rules() {
    Random random{1};
    for (int size = MIN_SIZE; size <= MAX_SIZE; ++size)
        for (int game = 0; game < 10; ++game) {
            Position p(size, {KoRule::SIMPLE, game % 2 == 0, Scoring::AREA, 0});
            Colors colors(MAX_POINTS, 0);
            MoveList moves;
            for (int ply = 0; ply < 2 * size * size; ++ply) {
                p.legal_moves(moves);
                if (moves.size <= 1) break;
                const Move move = moves.moves[random.below(moves.size - 1)];
                colors = slow_play(colors, move, p.to_move(), size);
                const std::uint64_t key = p.board().stones_key_after(
                    p.board().geometry().cell_of[move]);
                p.play(move);
                check(colors == colors_of(p.board()), "stones after " + write_vertex(move, size));
                check(key == p.board().stones_key(), "key after " + write_vertex(move, size));
            }
            std::uint64_t key = 0;
            for (Move code = 0; code < PASS; ++code)
                if (colors[code]) key ^= ZOBRIST.stone[colors[code] - 1][code];
            check(key == p.board().stones_key(), "key from nothing");
            check(board_fault(p.board()).empty(), board_fault(p.board()));
        }
}

// Legal moves under superko with keys of a few bits, where nearly all collide, equal those of a game
// that compares boards.
void superko() {
    Random random{2};
    int forbidden = 0;
    for (const KoRule ko : {KoRule::POSITIONAL, KoRule::SITUATIONAL})
        for (int game = 0; game < 60; ++game) {
            const int size = 5;
            Position p(size, {ko, true, Scoring::AREA, 0});
            if (game % 2) p.set_compared_bits_for_tests(7);
            std::vector<std::pair<Colors, int>> seen{{colors_of(p.board()), BLACK}};
            for (int ply = 0; ply < 150; ++ply) {
                std::vector<Move> legal;
                const int side = p.to_move();
                for (Move move = 0; move < PASS; ++move) {
                    if (!is_point(move, size) || colors_of(p.board())[move]) continue;
                    const Colors after = slow_play(seen.back().first, move, side, size);
                    const bool repeats = std::any_of(seen.begin(), seen.end(), [&](const auto& s) {
                        return s.first == after &&
                               (ko == KoRule::POSITIONAL || s.second == 3 - side);
                    });
                    if (!repeats) legal.push_back(move);
                    forbidden += repeats;
                }
                MoveList moves;
                p.legal_moves(moves);
                check(std::vector<Move>(moves.moves, moves.moves + moves.size - 1) == legal,
                      "superko: " + write_text(p.board(), 0));
                const Move move = legal.empty() || random.below(20) == 0
                                      ? PASS
                                      : legal[random.below(static_cast<int>(legal.size()))];
                if (p.passes() == 1 && move == PASS) break;
                p.play(move);
                seen.emplace_back(colors_of(p.board()), p.to_move());
            }
        }
    check(forbidden > 100, "superko forbade " + std::to_string(forbidden) + " plays");
}

void keys() {
    check(Position(19).key() == 14986493199373482689ULL, "key of the empty board");
    Position a(9), b(9);
    play(a, {"E5", "C3", "G7"});
    play(b, {"G7", "C3", "E5"});
    check(a.key() == b.key(), "keys do not know the order of moves");
    std::uint8_t bytes[PACKED_SIZE], again[PACKED_SIZE];
    pack(a.board(), 0, bytes);
    pack(b.board(), 0, again);
    check(std::equal(bytes, bytes + PACKED_SIZE, again), "nor do packed boards");
}

void text() {
    Random random{3};
    for (int size = MIN_SIZE; size <= MAX_SIZE; ++size) {
        Position p(size);
        MoveList moves;
        for (int ply = 0; ply < size * size; ++ply) {
            p.legal_moves(moves);
            p.play(moves.moves[random.below(moves.size - 1)]);
            const std::string written = write_text(p.board(), p.passes());
            const Position again = position(written);
            check(again.key() == p.key(), written);
            check(write_text(again.board(), again.passes()) == written, written);
            std::uint8_t bytes[PACKED_SIZE];
            pack(p.board(), p.passes(), bytes);
            Board board;
            int passes = 0;
            const std::string fault = unpack(bytes, board, passes);
            check(fault.empty(), fault);
            check(Position(board, passes, {}).key() == p.key(), "packed: " + written);
        }
    }
}

void playouts() {
    for (const int size : {5, 9, 19})
        for (const Policy policy : {Policy::UNIFORM, Policy::NO_EYES, Policy::CAREFUL}) {
            Random random{4};
            const int longest = longest_playout(Board(size), policy);
            int ended = 0;
            for (int i = 0; i < 50; ++i) {
                Board board(size);
                const int moves = play_out(board, 0, policy, longest, random);
                check(moves <= longest, "length");
                check(board_fault(board).empty(), board_fault(board));
                ended += moves < longest;
            }
            check(policy == Policy::UNIFORM || ended == 50, "playouts end by passes");
        }
    // Neither side plays into its eyes: Black's two stay, and White has none.
    Board board = position("1X1X1/XXXXX/OOOOO/5/5 w").board();
    Random random{5};
    for (int i = 0; i < 200; ++i) {
        Board copy = board;
        play_out(copy, 0, Policy::NO_EYES, longest_playout(copy, Policy::NO_EYES), random);
        check(copy.color(copy.geometry().cells[1]) == BLACK, "two eyes live");
    }
}

void score() {
    check(Position(9).score() == -7.5F, "an empty board is nobody's");
    const Position p = position("2XO1/2XO1/2XO1/2XO1/2XO1", {KoRule::SIMPLE, false, Scoring::AREA, 0.5F});
    check(p.score() == 15 - 10 - 0.5F, "area");
    const Position q =
        position("2XO1/2XO1/2XO1/2XO1/2XO1 b - 0 1 3", {KoRule::SIMPLE, false, Scoring::TERRITORY, 0});
    check(q.score() == 10 + 1 - 5 - 3, "territory and prisoners");
}

}  // namespace

int main(int argc, char** argv) {
    const std::string subject = argc > 1 ? argv[1] : "";
    if (subject == "rules") rules();
    else if (subject == "superko") superko();
    else if (subject == "keys") keys();
    else if (subject == "text") text();
    else if (subject == "playouts") playouts();
    else if (subject == "score") score();
    else {
        std::printf("usage: go_tests rules|superko|keys|text|playouts|score\n");
        return 2;
    }
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
