#include "go/life.hpp"

#include <algorithm>
#include <vector>

#include "go/score.hpp"

namespace tabia::go {
namespace {

// Benson's algorithm for one colour.
void pass_alive_of(const Board& board, std::uint8_t color, std::uint8_t* out) {
    const Geometry& g = board.geometry();
    const int steps[4] = {-1, 1, -g.stride, g.stride};
    struct Region {
        std::vector<int> cells;
        std::vector<int> chains;  // of the colour, beside it
        std::vector<int> vital;   // chains beside each of its empty points
        bool is_open = true;
    };
    std::vector<Region> regions;
    std::vector<std::uint8_t> seen(g.n_cells, 0);
    for (int i = 0; i < g.n_points; ++i) {
        if (seen[g.cells[i]] || board.color(g.cells[i]) == color) continue;
        Region& region = regions.emplace_back();
        region.cells.push_back(g.cells[i]);
        seen[g.cells[i]] = 1;
        bool is_first = true;
        for (std::size_t k = 0; k < region.cells.size(); ++k) {
            const int cell = region.cells[k];
            std::vector<int> here;
            for (const int step : steps) {
                const int n = cell + step;
                if (board.color(n) == color) {
                    here.push_back(board.chain(n));
                } else if (board.color(n) != BORDER && !seen[n]) {
                    seen[n] = 1;
                    region.cells.push_back(n);
                }
            }
            for (const int chain : here)
                if (std::find(region.chains.begin(), region.chains.end(), chain) ==
                    region.chains.end())
                    region.chains.push_back(chain);
            if (board.color(cell) != EMPTY) continue;
            if (is_first) region.vital = here;
            is_first = false;
            std::erase_if(region.vital, [&](int chain) {
                return std::find(here.begin(), here.end(), chain) == here.end();
            });
        }
        std::sort(region.vital.begin(), region.vital.end());
        region.vital.erase(std::unique(region.vital.begin(), region.vital.end()),
                           region.vital.end());
    }
    std::vector<std::uint8_t> alive(g.n_cells, 0);
    for (int i = 0; i < g.n_points; ++i)
        if (board.color(g.cells[i]) == color) alive[board.chain(g.cells[i])] = 1;
    for (bool changed = true; changed;) {
        changed = false;
        std::vector<int> eyes(g.n_cells, 0);
        for (const Region& region : regions)
            if (region.is_open)
                for (const int chain : region.vital) ++eyes[chain];
        for (int chain = 0; chain < g.n_cells; ++chain)
            if (alive[chain] && eyes[chain] < 2) {
                alive[chain] = 0;
                changed = true;
            }
        for (Region& region : regions)
            region.is_open =
                region.is_open && std::all_of(region.chains.begin(), region.chains.end(),
                                              [&](int chain) { return alive[chain]; });
    }
    std::vector<std::uint8_t> marked(g.n_cells, 0);
    for (const Region& region : regions)
        if (region.is_open && !region.vital.empty())
            for (const int cell : region.cells) marked[cell] = 1;
    for (int i = 0; i < g.n_points; ++i) {
        const int cell = g.cells[i];
        const bool lives = board.color(cell) == color && alive[board.chain(cell)];
        if (lives || marked[cell]) out[i] = color;
    }
}

}  // namespace

void pass_alive(const Board& board, std::uint8_t* out) {
    std::fill_n(out, board.geometry().n_points, std::uint8_t{0});
    pass_alive_of(board, BLACK, out);
    pass_alive_of(board, WHITE, out);
}

void add_playouts(const Board& board, Policy policy, int n, std::uint64_t seed, bool both_first,
                  float komi, Ownership& out) {
    const Geometry& g = board.geometry();
    const Board start = board.rebuilt();
    const int longest = longest_playout(board, policy);
    Random random{seed};
    random.state = random.next();  // seeds that follow each other have nothing in common
    for (int i = 0; i < n; ++i) {
        Board end = start;
        if (both_first && i % 2) end.pass();
        out.moves += play_out(end, 0, policy, longest, random);
        std::uint8_t owner[MAX_POINTS];
        const int points = area_margin(end, owner);
        for (int k = 0; k < g.n_points; ++k) {
            out.balance[k] += (owner[k] == BLACK) - (owner[k] == WHITE);
            out.survived[k] += board.color(g.cells[k]) != EMPTY &&
                               end.color(g.cells[k]) == board.color(g.cells[k]);
        }
        out.margin += points;
        out.black_wins += static_cast<float>(points) > komi;
    }
}

void dead_stones(const Board& board, const Ownership& owned, std::uint8_t* out) {
    const Geometry& g = board.geometry();
    std::uint8_t safe[MAX_POINTS];
    pass_alive(board, safe);
    std::vector<int> place(g.n_cells, 0);
    for (int i = 0; i < g.n_points; ++i) place[g.cells[i]] = i;
    for (int i = 0; i < g.n_points; ++i) {
        const int cell = g.cells[i];
        const std::uint8_t color = board.color(cell);
        out[i] = 0;
        if (color == EMPTY || safe[i] == color) continue;
        if (safe[i]) {
            out[i] = 1;
            continue;
        }
        std::int64_t balance = 0;
        int stone = cell;
        do balance += owned.balance[place[stone]];
        while ((stone = board.next_in_chain(stone)) != cell);
        out[i] = color == BLACK ? balance < 0 : balance > 0;
    }
}

}  // namespace tabia::go
