#include "go/board.hpp"

#include <algorithm>

namespace tabia::go {
namespace {

// What one neighbour of a colour is in `around_`.
constexpr std::uint16_t NEIGHBOUR[4] = {1, 1 << 4, 1 << 8, 1 << 4 | 1 << 8};

}  // namespace

Board::Board(int size) : geometry_(&go::geometry(size)) {
    static_assert(offsetof(Board, empty_) <= HEAD_BYTES);
    const Geometry& g = *geometry_;
    std::fill_n(color_, g.n_cells, std::uint8_t{BORDER});
    for (std::uint16_t* field : {chain_, next_, liberties_, stones_, around_, empty_at_})
        std::fill_n(field, g.n_cells, std::uint16_t{0});
    for (int i = 0; i < g.n_points; ++i) color_[g.cells[i]] = EMPTY;
    n_empty_ = static_cast<std::uint16_t>(g.n_points);
    for (int i = 0; i < g.n_points; ++i) {
        const int cell = g.cells[i];
        empty_[i] = static_cast<std::uint16_t>(cell);
        empty_at_[cell] = static_cast<std::uint16_t>(i);
        for (const int step : {-1, 1, -g.stride, g.stride})
            around_[cell] += NEIGHBOUR[color_[cell + step]];
    }
}

int Board::liberties(int chain, int limit, std::uint16_t* out) const {
    int found = 0, cell = chain;
    do {
        for (const int step : {-1, 1, -geometry_->stride, geometry_->stride}) {
            const int n = cell + step;
            if (color_[n] != EMPTY || std::find(out, out + found, n) != out + found) continue;
            out[found++] = static_cast<std::uint16_t>(n);
            if (found == limit) return found;
        }
        cell = next_[cell];
    } while (cell != chain);
    return found;
}

std::uint64_t Board::stones_key_after(int cell) const {
    const Geometry& g = *geometry_;
    const std::uint8_t own = to_move_, other = opponent(own);
    std::uint64_t key = stones_key_ ^ g.stone_key[own][cell];
    int taken[4], n_taken = 0;
    bool lives = empty_neighbours(cell) > 0;
    for (const int step : {-1, 1, -g.stride, g.stride}) {
        const int n = cell + step;
        if (color_[n] == own) {
            lives |= !is_last_liberty(cell, chain_[n]);
        } else if (color_[n] == other && is_last_liberty(cell, chain_[n])) {
            const int chain = chain_[n];
            if (std::find(taken, taken + n_taken, chain) != taken + n_taken) continue;
            taken[n_taken++] = chain;
        }
    }
    std::uint8_t color = other;
    if (!n_taken && !lives) {  // suicide
        color = own;
        key ^= g.stone_key[own][cell];
        for (const int step : {-1, 1, -g.stride, g.stride}) {
            const int n = cell + step, chain = chain_[n];
            if (color_[n] == own && std::find(taken, taken + n_taken, chain) == taken + n_taken)
                taken[n_taken++] = chain;
        }
    }
    for (int i = 0; i < n_taken; ++i) {
        int stone = taken[i];
        do key ^= g.stone_key[color][stone];
        while ((stone = next_[stone]) != taken[i]);
    }
    return key;
}

void Board::add_stone(int cell, std::uint8_t color) {
    const Geometry& g = *geometry_;
    const std::uint16_t last = empty_[--n_empty_];
    const std::uint16_t at = empty_at_[cell];
    empty_[at] = last;
    empty_at_[last] = at;
    color_[cell] = color;
    stones_key_ ^= g.stone_key[color][cell];
    chain_[cell] = next_[cell] = static_cast<std::uint16_t>(cell);
    stones_[cell] = 1;
    liberties_[cell] = static_cast<std::uint16_t>(empty_neighbours(cell));
    const auto change = static_cast<std::uint16_t>(NEIGHBOUR[color] - NEIGHBOUR[EMPTY]);
    for (const int step : {-1, 1, -g.stride, g.stride}) {
        around_[cell + step] += change;
        --liberties_[chain_[cell + step]];
    }
}

void Board::join(int cell, int neighbour) {
    int kept = chain_[cell], gone = chain_[neighbour];
    if (kept == gone) return;
    if (stones_[kept] < stones_[gone]) std::swap(kept, gone);
    liberties_[kept] += liberties_[gone];
    stones_[kept] += stones_[gone];
    int stone = gone;
    do chain_[stone] = static_cast<std::uint16_t>(kept);
    while ((stone = next_[stone]) != gone);
    std::swap(next_[kept], next_[gone]);
}

int Board::remove_chain(int chain) {
    const Geometry& g = *geometry_;
    const std::uint8_t color = color_[chain];
    const auto change = static_cast<std::uint16_t>(NEIGHBOUR[EMPTY] - NEIGHBOUR[color]);
    int stone = chain, removed = 0;
    do {
        ++removed;
        color_[stone] = EMPTY;
        chain_[stone] = 0;
        empty_at_[stone] = n_empty_;
        empty_[n_empty_++] = static_cast<std::uint16_t>(stone);
        stones_key_ ^= g.stone_key[color][stone];
        for (const int step : {-1, 1, -g.stride, g.stride}) {
            around_[stone + step] += change;
            ++liberties_[chain_[stone + step]];
        }
    } while ((stone = next_[stone]) != chain);
    return removed;
}

int Board::play(int cell) {
    const std::uint8_t own = to_move_, other = opponent(own);
    const int s = geometry_->stride;
    add_stone(cell, own);
    for (const int step : {-1, 1, -s, s})
        if (color_[cell + step] == own) join(cell, cell + step);
    int taken = 0, taken_at = 0;
    for (const int step : {-1, 1, -s, s}) {
        const int n = cell + step;
        if (color_[n] == other && liberties_[chain_[n]] == 0) {
            taken += remove_chain(chain_[n]);
            taken_at = n;
        }
    }
    ko_ = 0;
    to_move_ = other;
    if (taken) {
        prisoners_[own] += static_cast<std::uint16_t>(taken);
        if (taken == 1 && stones_[chain_[cell]] == 1 && empty_neighbours(cell) == 1)
            ko_ = static_cast<std::uint16_t>(taken_at);
    } else if (liberties_[chain_[cell]] == 0) {
        taken = remove_chain(chain_[cell]);
        prisoners_[other] += static_cast<std::uint16_t>(taken);
    }
    return taken;
}

void Board::put(int cell, std::uint8_t color) {
    add_stone(cell, color);
    for (const int step : {-1, 1, -geometry_->stride, geometry_->stride})
        if (color_[cell + step] == color) join(cell, cell + step);
}

Board Board::rebuilt() const {
    Board board(size());
    for (int i = 0; i < geometry_->n_points; ++i)
        if (const int cell = geometry_->cells[i]; color_[cell] != EMPTY)
            board.put(cell, color_[cell]);
    std::sort(board.empty_, board.empty_ + board.n_empty_);
    for (int i = 0; i < board.n_empty_; ++i)
        board.empty_at_[board.empty_[i]] = static_cast<std::uint16_t>(i);
    board.ko_ = ko_;
    board.to_move_ = to_move_;
    std::copy(prisoners_, prisoners_ + 3, board.prisoners_);
    return board;
}

}  // namespace tabia::go
