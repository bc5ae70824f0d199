// The stones on a Go board, with their chains, and the moves that change them.
//
// Chains (stones of a colour connected along lines) are rings of cells, named by the cell of one of
// their stones. Each knows how many stones it has and its pseudo-liberties: liberties counted once
// for every stone beside them. That number is zero exactly when the chain has no liberty, and cheap
// to keep. A board has no memory but the point that a simple ko forbids; repetition is the business
// of `Position`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "go/geometry.hpp"

namespace tabia::go {

class Board {
public:
    explicit Board(int size = MAX_SIZE);
    // As cheap as the size allows: only the cells in use are copied.
    Board(const Board& other) { *this = other; }
    Board& operator=(const Board& other) {
        std::memcpy(static_cast<void*>(this), &other, HEAD_BYTES);
        const int n = other.geometry_->n_cells;
        std::memcpy(color_, other.color_, n);
        std::memcpy(chain_, other.chain_, 2 * n);
        std::memcpy(next_, other.next_, 2 * n);
        std::memcpy(liberties_, other.liberties_, 2 * n);
        std::memcpy(stones_, other.stones_, 2 * n);
        std::memcpy(around_, other.around_, 2 * n);
        std::memcpy(empty_at_, other.empty_at_, 2 * n);
        std::memcpy(empty_, other.empty_, 2 * other.n_empty_);
        return *this;
    }

    const Geometry& geometry() const { return *geometry_; }
    int size() const { return geometry_->size; }
    std::uint8_t to_move() const { return to_move_; }
    void set_to_move(std::uint8_t color) { to_move_ = color; }
    // Zobrist key of the stones alone.
    std::uint64_t stones_key() const { return stones_key_; }
    // Cell where a ko forbids the side to move to play, 0 if there is none.
    int ko() const { return ko_; }
    void set_ko(int cell) { ko_ = static_cast<std::uint16_t>(cell); }
    // Stones that a colour has taken from the other, suicides of the other included.
    int prisoners(std::uint8_t by) const { return prisoners_[by]; }
    void set_prisoners(std::uint8_t by, int stones) {
        prisoners_[by] = static_cast<std::uint16_t>(stones);
    }

    // Everything below is by cell.
    std::uint8_t color(int cell) const { return color_[cell]; }
    // The chain's name, meaningful for stones.
    int chain(int cell) const { return chain_[cell]; }
    int next_in_chain(int cell) const { return next_[cell]; }
    int chain_stones(int chain) const { return stones_[chain]; }
    int pseudo_liberties(int chain) const { return liberties_[chain]; }
    // The chain's liberties, each once, counted to `limit` at most; up to `limit` cells in `out`.
    int liberties(int chain, int limit, std::uint16_t* out) const;
    int empty_count() const { return n_empty_; }
    int empty_cell(int i) const { return empty_[i]; }
    int empty_neighbours(int cell) const { return around_[cell] & 15; }
    // Neighbours that are stones of the colour or border.
    int own_neighbours(int cell, std::uint8_t color) const {
        return around_[cell] >> (4 * color) & 15;
    }

    // Whether an empty point all whose neighbours are taken may be played: it takes something, or
    // joins a chain that keeps a liberty.
    bool captures_or_lives(int cell, std::uint8_t color) const {
        for (const int step : {-1, 1, -geometry_->stride, geometry_->stride}) {
            const int n = cell + step;
            if (color_[n] == BORDER) continue;
            const bool is_last = is_last_liberty(cell, chain_[n]);
            if ((color_[n] == color) != is_last) return true;
        }
        return false;
    }
    // Whether the colour's stone at that empty point would take nothing and have no liberty.
    bool is_suicide(int cell, std::uint8_t color) const {
        return empty_neighbours(cell) == 0 && !captures_or_lives(cell, color);
    }
    // Legality by occupation, suicide and simple ko.
    bool is_legal(int cell, bool allows_suicide) const {
        return color_[cell] == EMPTY && cell != ko_ &&
               (empty_neighbours(cell) || allows_suicide || captures_or_lives(cell, to_move_));
    }
    // Whether the side to move takes something at that empty point.
    bool captures(int cell) const {
        const std::uint8_t other = opponent(to_move_);
        if (!own_neighbours(cell, other)) return false;
        for (const int step : {-1, 1, -geometry_->stride, geometry_->stride})
            if (color_[cell + step] == other && is_last_liberty(cell, chain_[cell + step]))
                return true;
        return false;
    }
    // Key of the stones after the side to move has played there.
    std::uint64_t stones_key_after(int cell) const;

    // Plays a legal point; returns how many stones were taken (the mover's own if it was suicide).
    int play(int cell);
    void pass() {
        ko_ = 0;
        to_move_ = opponent(to_move_);
    }

    // Puts a stone down on an empty point without taking anything: for set-up.
    void put(int cell, std::uint8_t color);
    // The same position put down in the order of its cells, so that nothing is left of the order in
    // which moves were played.
    Board rebuilt() const;
    // Moves the i-th empty point behind the other `n` and returns its cell: random choice without
    // repetition.
    int take_empty(int i, int n) {
        const std::uint16_t cell = empty_[i], last = empty_[n];
        empty_[i] = last;
        empty_at_[last] = static_cast<std::uint16_t>(i);
        empty_[n] = cell;
        empty_at_[cell] = static_cast<std::uint16_t>(n);
        return cell;
    }

private:
    // Whether all pseudo-liberties of a chain are at one empty point beside it.
    bool is_last_liberty(int cell, int chain) const {
        const int s = geometry_->stride;
        const int there = (chain_[cell - 1] == chain) + (chain_[cell + 1] == chain) +
                          (chain_[cell - s] == chain) + (chain_[cell + s] == chain);
        return liberties_[chain] == there;
    }
    void add_stone(int cell, std::uint8_t color);
    void join(int cell, int neighbour);
    int remove_chain(int chain);

    const Geometry* geometry_;
    std::uint64_t stones_key_ = 0;
    std::uint16_t ko_ = 0;
    std::uint16_t n_empty_ = 0;
    std::uint16_t prisoners_[3] = {};
    std::uint8_t to_move_ = BLACK;
    static constexpr int HEAD_BYTES = 32;

    std::uint16_t empty_[MAX_POINTS + 1];
    std::uint16_t empty_at_[MAX_CELLS];   // where in empty_
    std::uint16_t around_[MAX_CELLS];     // nibbles: empty, black or border, white or border
    std::uint16_t chain_[MAX_CELLS];      // 0 for empty points and border
    std::uint16_t next_[MAX_CELLS];       // ring of the chain's stones
    std::uint16_t liberties_[MAX_CELLS];  // by chain; [0] is scratch
    std::uint16_t stones_[MAX_CELLS];     // by chain
    std::uint8_t color_[MAX_CELLS];
};

}  // namespace tabia::go
