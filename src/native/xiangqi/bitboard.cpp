#include "xiangqi/bitboard.hpp"

#include <cstdlib>
#include <initializer_list>

namespace tabia::xiangqi {
namespace {

Line walk_line(int place, int length, unsigned occupied) {
    Line line{0, 0};
    for (const int step : {-1, 1}) {
        int met = 0;
        for (int i = place + step; i >= 0 && i < length && met < 2; i += step) {
            const bool is_piece = occupied >> i & 1;
            if (met == 0) line.reach |= static_cast<std::uint16_t>(1u << i);
            else if (is_piece) line.jump |= static_cast<std::uint16_t>(1u << i);
            met += is_piece;
        }
    }
    return line;
}

constexpr bool is_in_palace(int file, int rank) {
    return file >= 3 && file <= 5 && ((rank >= 0 && rank <= 2) || (rank >= 7 && rank <= 9));
}

// The bit that leg_index or eye_index gives to the neighbour at (file, rank) steps.
constexpr unsigned neighbour_bit(int df, int dr) {
    if (df && dr) return (df > 0 ? 2u : 1u) << (dr > 0 ? 2 : 0);
    if (df) return df < 0 ? 2u : 4u;
    return dr < 0 ? 1u : 8u;
}

}  // namespace

MoveTables::MoveTables()
    : horse{}, elephant{}, advisor{}, king{}, pawn{}, pawn_from{}, horse_ring{}, cross{}, between{},
      leg{} {
    for (int place = 0; place < FILES; ++place)
        for (unsigned occupied = 0; occupied < 1u << FILES; ++occupied)
            rank[place][occupied] = walk_line(place, FILES, occupied);
    for (int place = 0; place < RANKS; ++place)
        for (unsigned occupied = 0; occupied < 1u << RANKS; ++occupied)
            file[place][occupied] = walk_line(place, RANKS, occupied);
    for (unsigned bits = 0; bits < 32; ++bits) {
        spread[bits] = 0;
        for (int i = 0; i < 5; ++i) spread[bits] |= static_cast<std::uint64_t>(bits >> i & 1) << 9 * i;
    }

    for (int from = 0; from < SQUARES; ++from) {
        const int f = file_of(from), r = rank_of(from);
        for (int to = 0; to < SQUARES; ++to) {
            const int df = file_of(to) - f, dr = rank_of(to) - r;
            const int wide = std::abs(df), high = std::abs(dr);
            if (wide + high == 0) continue;
            if (!wide || !high) {
                cross[from] |= bit(to);
                const int step = wide ? (df > 0 ? 1 : -1) : (dr > 0 ? FILES : -FILES);
                for (int s = from + step; s != to; s += step) between[from][to] |= bit(s);
            }
            if (wide + high == 1) {
                if (is_in_palace(f, r) && is_in_palace(f + df, r + dr)) king[from] |= bit(to);
                for (const int color : {RED, BLACK}) {
                    const bool forward = color == RED ? dr > 0 : dr < 0;
                    if (!forward && (dr || half_of(from) == color)) continue;
                    pawn[color][from] |= bit(to);
                    pawn_from[color][to] |= bit(from);
                }
            }
            if (wide == 1 && high == 1 && is_in_palace(f + df, r + dr))
                advisor[half_of(to)][from] |= bit(to);
            if (wide == 2 && high == 2)
                for (unsigned blocked = 0; blocked < 16; ++blocked)
                    if (!(blocked & neighbour_bit(df / 2, dr / 2)))
                        elephant[half_of(to)][from][blocked] |= bit(to);
            if (wide + high == 3 && wide && high) {
                const int leg_df = wide == 2 ? df / 2 : 0, leg_dr = high == 2 ? dr / 2 : 0;
                leg[from][to] = static_cast<std::uint8_t>(square_at(f + leg_df, r + leg_dr));
                horse_ring[to] |= bit(from);
                for (unsigned blocked = 0; blocked < 16; ++blocked)
                    if (!(blocked & neighbour_bit(leg_df, leg_dr))) horse[from][blocked] |= bit(to);
            }
        }
    }
}

const MoveTables TABLES;

}  // namespace tabia::xiangqi
