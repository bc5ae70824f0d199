#include "go/score.hpp"

#include <algorithm>
#include <vector>

#include "go/shapes.hpp"

namespace tabia::go {
namespace {

constexpr std::uint8_t BOTH = BLACK | WHITE;

// Stones left when the dead are gone, and the regions of empty points between them.
struct Map {
    const Geometry& g;
    int steps[4];
    std::uint8_t color[MAX_CELLS];
    std::int16_t region[MAX_CELLS];  // of empty cells, -1 elsewhere
    struct Region {
        std::vector<std::uint16_t> cells;
        std::uint8_t reaches = 0;  // bits BLACK and WHITE
    };
    std::vector<Region> regions;

    explicit Map(const Board& board)
        : g(board.geometry()), steps{-1, 1, -g.stride, g.stride} {
        for (int cell = 0; cell < g.n_cells; ++cell) color[cell] = board.color(cell);
    }

    void find_regions() {
        std::fill_n(region, g.n_cells, std::int16_t{-1});
        for (int i = 0; i < g.n_points; ++i) {
            if (color[g.cells[i]] != EMPTY || region[g.cells[i]] >= 0) continue;
            const auto id = static_cast<std::int16_t>(regions.size());
            Region& found = regions.emplace_back();
            found.cells.push_back(g.cells[i]);
            region[g.cells[i]] = id;
            for (std::size_t k = 0; k < found.cells.size(); ++k)
                for (const int step : steps) {
                    const int n = found.cells[k] + step;
                    if (color[n] == BORDER) continue;
                    found.reaches |= color[n];
                    if (color[n] != EMPTY || region[n] >= 0) continue;
                    region[n] = id;
                    found.cells.push_back(static_cast<std::uint16_t>(n));
                }
        }
    }
};

struct UnionFind {
    std::uint16_t parent[MAX_CELLS];
    explicit UnionFind(int n) {
        for (int i = 0; i < n; ++i) parent[i] = static_cast<std::uint16_t>(i);
    }
    int find(int i) {
        while (parent[i] != i) i = parent[i] = parent[parent[i]];
        return i;
    }
    void join(int a, int b) { parent[find(a)] = static_cast<std::uint16_t>(find(b)); }
};

// Groups of one map, and which of them are in seki. Cells name groups by `of.find`.
class Groups {
public:
    explicit Groups(const Map& map) : of(map.g.n_cells), map_(map), chains_(map.g.n_cells) {
        for (int i = 0; i < map_.g.n_points; ++i) {
            const int cell = map_.g.cells[i];
            for (const int step : {1, map_.g.stride}) {
                const int n = cell + step;
                if (map_.color[n] == BORDER) continue;
                if (map_.color[cell] != EMPTY && map_.color[n] == map_.color[cell])
                    chains_.join(cell, n);
                if (is_of_one(cell) && is_of_one(n) && side(cell) == side(n)) of.join(cell, n);
            }
        }
    }

    // Whether the cell is a stone or a point that one colour alone reaches.
    bool is_of_one(int cell) const { return side(cell) == BLACK || side(cell) == WHITE; }
    // The colour that owns the cell by reach; 0 or 3 for neutral points.
    std::uint8_t side(int cell) const {
        const std::uint8_t color = map_.color[cell];
        return color != EMPTY ? color : map_.regions[map_.region[cell]].reaches;
    }

    // Marks cells that must be filled, and groups (by name) in seki.
    void judge(std::vector<std::uint8_t>& filled, std::vector<std::uint8_t>& in_seki) {
        std::vector<std::uint8_t> touches(map_.g.n_cells, 0);
        for (int i = 0; i < map_.g.n_points; ++i) {
            const int cell = map_.g.cells[i];
            if (map_.color[cell] != EMPTY || side(cell) != BOTH) continue;
            // Who can take the point at no risk does so before the count: it keeps nobody alive.
            if (liberties_after(cell, BLACK) >= 2 || liberties_after(cell, WHITE) >= 2) continue;
            for (const int step : map_.steps)
                if (map_.color[cell + step] != EMPTY && map_.color[cell + step] != BORDER)
                    touches[of.find(cell + step)] = 1;
        }
        for (int i = 0; i < map_.g.n_points; ++i) {
            const int group = map_.g.cells[i];
            if (!is_of_one(group) || of.find(group) != group) continue;
            const std::vector<std::uint16_t> must = forced(group);
            if (touches[group] && !has_two_eyes(group, must)) {
                in_seki[group] = 1;
            } else {
                for (const std::uint16_t cell : must) filled[cell] = 1;
            }
        }
    }

    UnionFind of;

private:
    // Liberties of the chain that a stone of the colour would make there, counted to two.
    int liberties_after(int cell, std::uint8_t color) const {
        std::vector<int> stones{cell};
        int first = 0;
        for (std::size_t k = 0; k < stones.size(); ++k)
            for (const int step : map_.steps) {
                const int n = stones[k] + step;
                if (map_.color[n] == EMPTY && n != cell && n != first) {
                    if (first) return 2;
                    first = n;
                } else if (map_.color[n] == color &&
                           std::find(stones.begin(), stones.end(), n) == stones.end()) {
                    stones.push_back(n);
                }
            }
        return first != 0;
    }

    // Points that the group must fill, one after the other, once neutral points are all taken: the
    // last liberty of a chain, as long as the stone there has another.
    std::vector<std::uint16_t> forced(int group) {
        std::vector<std::uint16_t> must;
        UnionFind chains = chains_;
        std::vector<std::uint8_t> stone(map_.g.n_cells, 0);
        std::vector<std::uint16_t> cells;
        for (int i = 0; i < map_.g.n_points; ++i) {
            const int cell = map_.g.cells[i];
            if (!is_of_one(cell) || of.find(cell) != group) continue;
            cells.push_back(static_cast<std::uint16_t>(cell));
            stone[cell] = map_.color[cell] != EMPTY;
        }
        const auto is_open = [&](int cell) {
            return map_.color[cell] == EMPTY && !stone[cell] && is_of_one(cell) &&
                   of.find(cell) == group;
        };
        for (bool changed = true; changed;) {
            changed = false;
            // By chain: 0 no liberty seen, a cell if it is the only one, MANY if there are more.
            constexpr std::uint16_t MANY = 0xFFFF;
            std::vector<std::uint16_t> only(map_.g.n_cells, 0);
            for (const std::uint16_t cell : cells) {
                if (!stone[cell]) continue;
                std::uint16_t& last = only[chains.find(cell)];
                for (const int step : map_.steps) {
                    const auto n = static_cast<std::uint16_t>(cell + step);
                    if (is_open(n) && last != n) last = last == 0 ? n : MANY;
                }
            }
            for (const std::uint16_t cell : cells) {
                if (!stone[cell] || chains.find(cell) != cell) continue;
                const std::uint16_t last = only[cell];
                if (last == 0 || last == MANY || stone[last]) continue;
                if (connects_over_neutral(cell, cells, chains)) continue;
                bool helps = false;
                for (const int step : map_.steps) {
                    const int n = last + step;
                    helps |= is_open(n) || (stone[n] && chains.find(n) != cell &&
                                            only[chains.find(n)] == MANY);
                }
                if (!helps) continue;
                stone[last] = 1;
                must.push_back(last);
                for (const int step : map_.steps)
                    if (stone[last + step]) chains.join(last + step, last);
                changed = true;
                break;
            }
        }
        return must;
    }

    // Whether the chain's owner can join it to another chain at a neutral point: of two such ways, or
    // of such a way and the point inside, the other side can only close one.
    bool connects_over_neutral(int chain, const std::vector<std::uint16_t>& cells,
                               UnionFind& chains) const {
        for (const std::uint16_t cell : cells) {
            const std::uint8_t color = map_.color[cell];
            if (color == EMPTY || chains.find(cell) != chain) continue;
            for (const int step : map_.steps) {
                const int neutral = cell + step;
                if (map_.color[neutral] != EMPTY || side(neutral) != BOTH) continue;
                for (const int beside : map_.steps) {
                    const int n = neutral + beside;
                    if (map_.color[n] == color && chains.find(n) != chain) return true;
                }
            }
        }
        return false;
    }

    bool has_two_eyes(int group, const std::vector<std::uint16_t>& must) {
        int eyes = 0;
        for (const Map::Region& region : map_.regions) {
            if ((region.reaches != BLACK && region.reaches != WHITE) ||
                of.find(region.cells[0]) != group)
                continue;
            std::vector<std::uint16_t> left;
            for (const std::uint16_t cell : region.cells)
                if (std::find(must.begin(), must.end(), cell) == must.end()) left.push_back(cell);
            if (left.empty()) continue;
            const int n = static_cast<int>(left.size());
            eyes += is_one_eye_shape(left.data(), n, map_.g.stride) ? 1 : 2;
        }
        return eyes >= 2;
    }

    const Map& map_;
    UnionFind chains_;
};

}  // namespace

void tally(const Board& board, Scoring scoring, const std::uint8_t* dead, Tally& out) {
    out = Tally{};
    Map map(board);
    const Geometry& g = map.g;
    if (dead) {
        for (int i = 0; i < g.n_points; ++i) {
            const int marked = g.cells[i];
            if (!dead[i] || map.color[marked] == EMPTY) continue;
            int stone = marked;
            do {
                map.color[stone] = EMPTY;
                ++out.dead[board.color(stone)];
            } while ((stone = board.next_in_chain(stone)) != marked);
        }
    }
    map.find_regions();
    std::vector<std::uint8_t> filled(g.n_cells, 0), in_seki(g.n_cells, 0);
    Groups groups(map);
    if (scoring == Scoring::TERRITORY) groups.judge(filled, in_seki);
    for (int i = 0; i < g.n_points; ++i) {
        const int cell = g.cells[i];
        if (groups.is_of_one(cell)) out.seki[i] = in_seki[groups.of.find(cell)];
        const std::uint8_t color = map.color[cell];
        if (color != EMPTY) {
            ++out.stones[color];
            out.owner[i] = color;
        } else if (groups.is_of_one(cell) && !filled[cell] && !out.seki[i]) {
            out.owner[i] = groups.side(cell);
            ++out.territory[out.owner[i]];
        } else {
            ++out.neutral;
        }
    }
    for (const std::uint8_t color : {BLACK, WHITE}) out.prisoners[color] = board.prisoners(color);
}

int margin(const Tally& t, Scoring scoring) {
    if (scoring == Scoring::AREA)
        return t.stones[BLACK] + t.territory[BLACK] - t.stones[WHITE] - t.territory[WHITE];
    return t.territory[BLACK] + t.prisoners[BLACK] + t.dead[WHITE] - t.territory[WHITE] -
           t.prisoners[WHITE] - t.dead[BLACK];
}

int area_margin(const Board& board, std::uint8_t* owner) {
    const Geometry& g = board.geometry();
    int points[4] = {};
    std::uint8_t reached[MAX_CELLS] = {};  // by cell: who reaches the empty point, once known
    std::uint16_t cells[MAX_POINTS];
    for (int i = 0; i < g.n_points; ++i) {
        const int start = g.cells[i];
        if (board.color(start) != EMPTY || reached[start]) continue;
        int n = 0;
        std::uint8_t reaches = 0;
        cells[n++] = static_cast<std::uint16_t>(start);
        reached[start] = BOTH;
        for (int k = 0; k < n; ++k)
            for (const int step : {-1, 1, -g.stride, g.stride}) {
                const int cell = cells[k] + step;
                const std::uint8_t color = board.color(cell);
                if (color == BLACK || color == WHITE) {
                    reaches |= color;
                } else if (color == EMPTY && !reached[cell]) {
                    reached[cell] = BOTH;
                    cells[n++] = static_cast<std::uint16_t>(cell);
                }
            }
        points[reaches] += n;
        for (int k = 0; k < n; ++k) reached[cells[k]] = reaches ? reaches : BOTH;
    }
    for (int i = 0; i < g.n_points; ++i) {
        const int cell = g.cells[i];
        const std::uint8_t color = board.color(cell);
        if (color != EMPTY) ++points[color];
        if (owner) owner[i] = color != EMPTY ? color : reached[cell] % BOTH;
    }
    return points[BLACK] - points[WHITE];
}

float score_of(const Board& board, const Rules& rules) {
    if (rules.scoring == Scoring::AREA)
        return static_cast<float>(area_margin(board)) - rules.komi;
    Tally t;
    tally(board, rules.scoring, nullptr, t);
    return static_cast<float>(margin(t, rules.scoring)) - rules.komi;
}

}  // namespace tabia::go
