#include "mcts/chess_state.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace tabia::mcts {
namespace {

using namespace tabia::chess;

constexpr int TURN = 56;

// Label of every code from the mover's view, -1 for none: see tabia.games.chess_moves.
std::vector<std::int16_t> made_labels() {
    std::vector<std::int16_t> labels(1 << 16, -1);
    std::vector<int> codes;
    for (int from = 0; from < 64; ++from) {
        for (int to = 0; to < 64; ++to) {
            const int wide = std::abs(file_of(to) - file_of(from));
            const int high = std::abs(rank_of(to) - rank_of(from));
            const bool queen = from != to && (wide == 0 || high == 0 || wide == high);
            const bool knight = wide + high == 3 && wide && high;
            if (queen || knight) codes.push_back(make_move(from, to));
            if (rank_of(from) == 6 && rank_of(to) == 7 && wide <= 1)
                for (int type = KNIGHT; type <= ROOK; ++type)
                    codes.push_back(make_move(from, to, type));
        }
    }
    std::sort(codes.begin(), codes.end());
    for (std::size_t i = 0; i < codes.size(); ++i)
        labels[codes[i]] = static_cast<std::int16_t>(i);
    // A pawn that becomes a queen has the plain label of its step.
    for (const int code : codes)
        if (promotion_code(static_cast<chess::Move>(code)) == 1)
            labels[(code & 0xFFF) | 4 << 12] = labels[code & 0xFFF];
    return labels;
}

const std::vector<std::int16_t> LABEL_OF = made_labels();

bool is_dead(const Position& p) {
    if (p.by_type[PAWN] | p.by_type[ROOK] | p.by_type[QUEEN]) return false;
    constexpr Bitboard DARK = 0xAA55AA55AA55AA55ULL;
    const Bitboard knights = p.by_type[KNIGHT], bishops = p.by_type[BISHOP];
    if (knights) return !more_than_one(knights) && !bishops;
    return !(bishops & DARK) || !(bishops & ~DARK);
}

void fill(float* plane, float value) { std::fill(plane, plane + 64, value); }

}  // namespace

ChessState::ChessState(const Position& start, const Limits& limits)
    : limits_(limits), positions_{start}, keys_{start.key} {}

int ChessState::legal_moves(Move* out) const {
    MoveList list;
    generate_legal(now(), list);
    std::copy(list.begin(), list.end(), out);
    return list.size;
}

int ChessState::from_code(Move code) const {
    const Move move = chess::from_codec(now(), code, false);
    return is_legal(now(), move) ? move : -1;
}

int ChessState::label(Move move) const {
    const Move codec = chess::to_codec(now(), move, false);
    return LABEL_OF[now().side == WHITE ? codec : codec ^ (TURN | TURN << 6)];
}

int ChessState::earlier(int plies) const {
    const int back = std::min<int>(plies, static_cast<int>(positions_[plies].halfmove));
    int found = 0;
    for (int i = plies - 4; i >= plies - back; i -= 2) found += keys_[i] == keys_[plies];
    return found;
}

Ending ChessState::ending(const Position& p, int n_moves) const {
    if (n_moves == 0) {
        if (p.is_check()) return {true, p.side == WHITE ? -1 : 1};
        return {true, 0};
    }
    const int quiet = static_cast<int>(p.halfmove);
    if (limits_.quiet_plies && quiet >= limits_.quiet_plies) return {true, 0};
    if (limits_.repetitions && quiet >= 4) {
        const int last = static_cast<int>(keys_.size()) - 1;
        int left = limits_.repetitions - 1;
        for (int i = last - 4; i >= 0 && i >= last - quiet; i -= 2)
            if (keys_[i] == keys_[last] && --left == 0) return {true, 0};
    }
    if (is_dead(p)) return {true, 0};
    if (limits_.max_plies && static_cast<int>(keys_.size()) > limits_.max_plies) return {true, 0};
    return {false, 0};
}

Ending ChessState::ending(int n_moves) const { return ending(now(), n_moves); }

int ChessState::rollout(Random& random) {
    Position p = now();
    const std::size_t begun = keys_.size();
    int result = 0;
    for (int ply = 0;; ++ply) {
        MoveList list;
        generate_legal(p, list);
        const Ending end = ending(p, list.size);
        if (end.is_over || (limits_.rollout_plies && ply >= limits_.rollout_plies)) {
            result = end.result;
            break;
        }
        p.play(list.moves[random.below(static_cast<std::uint32_t>(list.size))]);
        keys_.push_back(p.key);
    }
    keys_.resize(begun);
    return result;
}

void ChessState::encode(int history, float* out) const {
    const int us = now().side, turn = us == WHITE ? 0 : TURN;
    std::fill(out, out + 64 * planes(history), 0.0F);
    const int last = plies();
    for (int back = 0; back < history && back <= last; ++back) {
        const Position& p = positions_[last - back];
        float* plane = out + 64 * PLANES_A_POSITION * back;
        for (int color : {us, us ^ 1})
            for (int type = PAWN; type <= KING; ++type, plane += 64)
                for (Bitboard b = p.pieces(color, type); b;) plane[pop_lowest(b) ^ turn] = 1;
        if (earlier(last - back)) fill(plane, 1);
    }
    float* plane = out + 64 * PLANES_A_POSITION * history;
    const Position& p = now();
    for (int color : {us, us ^ 1}) {
        const Bitboard rooks = p.castling & p.by_color[color];
        for (Bitboard b = rooks; b;) {
            const bool is_long = pop_lowest(b) < p.king(color);
            fill(plane + 64 * is_long, 1);
        }
        plane += 128;
    }
    if (p.ep != NO_SQUARE) plane[p.ep ^ turn] = 1;
    fill(plane + 64, static_cast<float>(p.halfmove) / 100);
}

}  // namespace tabia::mcts
