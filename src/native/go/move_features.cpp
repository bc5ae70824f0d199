#include "go/move_features.hpp"

#include <algorithm>
#include <cstdlib>

#include "go/pack.hpp"

namespace tabia::go {
namespace {

constexpr int WINDOW = 4, NEAR = 2, NONE_NEAR = 9;

int distance(Move a, Move b) {
    const int dx = std::abs(column_of(a) - column_of(b)), dy = std::abs(row_of(a) - row_of(b));
    return dx + dy + std::max(dx, dy);
}

int liberties(const Board& board, int chain) {
    std::uint16_t found[LIBERTIES_COUNTED];
    return board.liberties(chain, LIBERTIES_COUNTED, found);
}

// Up to four chains, each once.
struct Chains {
    int chain[4];
    int size = 0;
    void add(int name) {
        if (std::find(chain, chain + size, name) == chain + size) chain[size++] = name;
    }
};

// What is the same for all moves of a position.
struct Scene {
    const Board& board;
    std::uint8_t own, other;
    int last = -1, own_last = -1;            // codes of points; -1 none or a pass
    int last_chain = 0, own_last_chain = 0;  // 0 none
    bool after_pass = false;
    int in_atari[3] = {}, stones[3] = {};

    Scene(const Board& of, int passes, const std::int32_t* previous)
        : board(of), own(of.to_move()), other(opponent(of.to_move())), after_pass(passes > 0) {
        const Geometry& g = board.geometry();
        const auto look = [&](std::int32_t code, std::uint8_t color, int& point, int& chain) {
            if (code < 0 || !is_point(static_cast<Move>(code), g.size)) return;
            point = code;
            const int cell = g.cell_of[code];
            if (board.color(cell) == color) chain = board.chain(cell);
        };
        look(previous[0], other, last, last_chain);
        look(previous[1], own, own_last, own_last_chain);
        for (int i = 0; i < g.n_points; ++i) {
            const int cell = g.cells[i];
            const std::uint8_t color = board.color(cell);
            if (color == EMPTY) continue;
            ++stones[color];
            if (board.chain(cell) == cell && liberties(board, cell) == 1)
                in_atari[color] += board.chain_stones(cell);
        }
    }
};

void whole_board(const Scene& s, float* row) {
    row[AFTER_PASS] = s.after_pass;
    row[LAST_LIBERTIES] = s.last_chain ? liberties(s.board, s.last_chain) : 0;
    row[OWN_LAST_LIBERTIES] = s.own_last_chain ? liberties(s.board, s.own_last_chain) : 0;
    row[OWN_IN_ATARI] = s.in_atari[s.own];
    row[OPPONENT_IN_ATARI] = s.in_atari[s.other];
    row[STONES] = s.stones[s.own] + s.stones[s.other];
    row[BALANCE] = s.stones[s.own] - s.stones[s.other];
    row[SIZE] = s.board.size();
}

void around(const Scene& s, Move move, float* row) {
    const Board& b = s.board;
    const Geometry& g = b.geometry();
    const int size = g.size, y = row_of(move), x = column_of(move);
    const int rows = std::min(y, size - 1 - y) + 1, columns = std::min(x, size - 1 - x) + 1;
    row[LINE] = std::min(rows, columns);
    row[OTHER_LINE] = std::max(rows, columns);
    row[LAST_DISTANCE] = s.last >= 0 ? distance(move, static_cast<Move>(s.last)) : -1;
    row[OWN_LAST_DISTANCE] = s.own_last >= 0 ? distance(move, static_cast<Move>(s.own_last)) : -1;
    int nearest[3] = {0, NONE_NEAR, NONE_NEAR}, near[3] = {}, weight[3] = {};
    int diagonal[4] = {};
    for (int dy = -WINDOW; dy <= WINDOW; ++dy) {
        for (int dx = -WINDOW; dx <= WINDOW; ++dx) {
            const bool inside = y + dy >= 0 && y + dy < size && x + dx >= 0 && x + dx < size;
            const std::uint8_t color =
                inside ? b.color(g.cell_of[make_move(y + dy, x + dx)]) : std::uint8_t{BORDER};
            if (std::abs(dy) == 1 && std::abs(dx) == 1) ++diagonal[color];
            if (color == EMPTY || color == BORDER) continue;
            const int steps = std::abs(dy) + std::abs(dx);
            nearest[color] = std::min(nearest[color], steps);
            near[color] += std::max(std::abs(dy), std::abs(dx)) <= NEAR;
            weight[color] += 2 * WINDOW + 1 - steps;
        }
    }
    row[OWN_NEAREST] = nearest[s.own];
    row[OPPONENT_NEAREST] = nearest[s.other];
    row[OWN_NEAR] = near[s.own];
    row[OPPONENT_NEAR] = near[s.other];
    row[INFLUENCE] = weight[s.own] - weight[s.other];
    row[OWN_DIAGONAL] = diagonal[s.own];
    row[OPPONENT_DIAGONAL] = diagonal[s.other];
    const int cell = g.cell_of[move];
    const bool closed = b.own_neighbours(cell, s.own) == 4;
    row[FILLS_EYE] = closed && diagonal[s.other] + (diagonal[BORDER] > 0) < 2;
}

void play(const Scene& s, Move move, float* row) {
    const Board& b = s.board;
    const Geometry& g = b.geometry();
    const int cell = g.cell_of[move];
    const int steps[4] = {-1, 1, -g.stride, g.stride};
    Chains own, other;
    int beside[4] = {};
    for (const int step : steps) {
        const int n = cell + step;
        ++beside[b.color(n)];
        if (b.color(n) == s.own) own.add(b.chain(n));
        if (b.color(n) == s.other) other.add(b.chain(n));
    }
    row[OWN_BESIDE] = beside[s.own];
    row[OPPONENT_BESIDE] = beside[s.other];
    row[EMPTY_BESIDE] = beside[EMPTY];
    row[OWN_CHAINS] = own.size;
    row[OPPONENT_CHAINS] = other.size;
    row[IS_SUICIDE] = b.is_suicide(cell, s.own);

    Board after = b;
    const int removed = after.play(cell);
    const bool lives = after.color(cell) == s.own;
    const int left = lives ? liberties(after, after.chain(cell)) : 0;
    row[TAKEN] = lives ? removed : 0;
    row[TAKES_KO] = after.ko() != 0;
    row[STONES_AFTER] = lives ? after.chain_stones(after.chain(cell)) : 0;
    row[LIBERTIES_AFTER] = left;
    row[SELF_ATARI] = left == 1 ? row[STONES_AFTER] : 0;

    int least = 0, saved = 0;
    for (int i = 0; i < own.size; ++i) {
        const int chain = own.chain[i], before = liberties(b, chain);
        least = least ? std::min(least, before) : before;
        if (before == 1 && left > 1) saved += b.chain_stones(chain);
        if (chain == s.own_last_chain) row[JOINS_OWN_LAST] = 1;
    }
    row[OWN_LEAST_LIBERTIES] = least;
    row[SAVED] = saved;
    least = 0;
    int atari = 0, two = 0;
    for (int i = 0; i < other.size; ++i) {
        const int chain = other.chain[i], before = liberties(b, chain);
        least = least ? std::min(least, before) : before;
        if (chain == s.last_chain) {
            row[TOUCHES_LAST] = 1;
            row[TAKES_LAST] = before == 1;
        }
        // The chain's name is the cell of one of its stones, which stands unless all were taken.
        if (before == 1) continue;
        const int now = liberties(after, after.chain(chain));
        if (now == 1) atari += b.chain_stones(chain);
        if (now == 2) two += b.chain_stones(chain);
    }
    row[OPPONENT_LEAST_LIBERTIES] = least;
    row[PUT_IN_ATARI] = atari;
    row[PUT_TO_TWO] = two;
}

}  // namespace

std::string move_features(const std::uint8_t* packed, const Move* moves, int n,
                          const std::int32_t* previous, float* out) {
    Board board;
    int passes = 0;
    if (std::string fault = unpack(packed, board, passes); !fault.empty()) return fault;
    const Scene scene(board, passes, previous);
    float common[MOVE_FEATURES] = {};
    whole_board(scene, common);
    for (int i = 0; i < n; ++i, out += MOVE_FEATURES) {
        const Move move = moves[i];
        std::copy(common, common + MOVE_FEATURES, out);
        if (move == PASS) {
            out[IS_PASS] = 1;
            for (const int column : {LINE, OTHER_LINE, LAST_DISTANCE, OWN_LAST_DISTANCE})
                out[column] = -1;
            continue;
        }
        const bool is_legal = is_point(move, board.size()) &&
                              board.is_legal(board.geometry().cell_of[move], true);
        if (!is_legal) return "move " + std::to_string(move) + " is not legal";
        around(scene, move, out);
        play(scene, move, out);
    }
    return {};
}

}  // namespace tabia::go
