// Tests of the xiangqi core that need no Python: `xiangqi_tests SUBJECT`. Prints each failed claim.
// Perft values: Fairy-Stockfish's tests/perft.sh, and its program for the start at depth 5.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "xiangqi/expand.hpp"
#include "xiangqi/fen.hpp"
#include "xiangqi/movegen.hpp"
#include "xiangqi/pack.hpp"
#include "xiangqi/perft.hpp"

using namespace tabia::xiangqi;

namespace {

int failures = 0;

// Golden keys: written to tables, so they may never change.
constexpr std::uint64_t GOLDEN_START = 1716023066612890459ULL;
constexpr std::uint64_t GOLDEN_MIDDLE = 17980368472888949898ULL;
constexpr const char* MIDDLE =
    "1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w - - 0 1";
constexpr const char* ENDING = "4kcP1N/8n/3rb4/9/9/9/9/3p1A3/4K4/5CB2 w - - 0 1";

void check(bool claim, const std::string& what) {
    if (claim) return;
    ++failures;
    std::printf("FAILED: %s\n", what.c_str());
}

Position position(const std::string& fen) {
    Position p;
    const std::string fault = parse_fen(fen, p);
    check(fault.empty(), fen + ": " + fault);
    return p;
}

// splitmix64: the same games on every machine, unlike the distributions of <random>.
struct Random {
    std::uint64_t state;
    int below(int n) {
        std::uint64_t z = state += 0x9E3779B97F4A7C15ULL;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return static_cast<int>((z ^ (z >> 31)) % static_cast<std::uint64_t>(n));
    }
};

// --- the slow twin: pieces walked over a mailbox, every move tried ---------------------------

bool is_palace(int file, int rank, int color) {
    return file >= 3 && file <= 5 && (color == RED ? rank <= 2 : rank >= 7);
}

std::vector<int> slow_targets(const std::uint8_t* board, int from) {
    static constexpr int STEPS[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    const int color = color_of(board[from]), type = type_of(board[from]);
    const int file = file_of(from), rank = rank_of(from);
    std::vector<int> targets;
    const auto at = [&](int f, int r) { return int{board[square_at(f, r)]}; };
    const auto add = [&](int f, int r) {
        if (is_on_board(f, r) && !(at(f, r) && color_of(at(f, r)) == color))
            targets.push_back(square_at(f, r));
    };
    for (const auto& step : STEPS) {
        const int df = step[0], dr = step[1], side_f = dr, side_r = df;
        switch (type) {
            case KING:
                if (is_palace(file + df, rank + dr, color)) add(file + df, rank + dr);
                break;
            case ADVISOR:
                if (is_palace(file + df + side_f, rank + dr - side_r, color))
                    add(file + df + side_f, rank + dr - side_r);
                break;
            case ELEPHANT: {
                const int f = df + side_f, r = dr - side_r;
                if (is_on_board(file + 2 * f, rank + 2 * r) && !at(file + f, rank + r) &&
                    (color == RED) == (rank + 2 * r < 5))
                    add(file + 2 * f, rank + 2 * r);
                break;
            }
            case HORSE:
                if (is_on_board(file + df, rank + dr) && !at(file + df, rank + dr))
                    for (const int side : {-1, 1})
                        add(file + 2 * df + side * side_f, rank + 2 * dr + side * side_r);
                break;
            case PAWN: {
                const int forward = color == RED ? 1 : -1;
                if (dr == forward || (dr == 0 && (color == RED) == (rank >= 5)))
                    add(file + df, rank + dr);
                break;
            }
            default: {
                int met = 0;
                for (int f = file + df, r = rank + dr; is_on_board(f, r); f += df, r += dr) {
                    if (!at(f, r)) {
                        if (!met) add(f, r);
                    } else if (++met == (type == ROOK ? 1 : 2)) {
                        add(f, r);
                        break;
                    }
                }
            }
        }
    }
    return targets;
}

bool slow_is_safe(const std::uint8_t* board, int color) {
    int king = NO_SQUARE;
    for (int s = 0; s < SQUARES; ++s)
        if (board[s] == piece_code(color, KING)) king = s;
    for (int s = 0; s < SQUARES; ++s) {
        if (!board[s] || color_of(board[s]) == color) continue;
        const std::vector<int> targets = slow_targets(board, s);
        if (std::find(targets.begin(), targets.end(), king) != targets.end()) return false;
        if (type_of(board[s]) != KING || file_of(s) != file_of(king)) continue;
        int between = 0;
        for (int t = std::min(s, king) + FILES; t < std::max(s, king); t += FILES)
            between += board[t] != 0;
        if (!between) return false;
    }
    return true;
}

std::vector<Move> slow_legal(const Position& p) {
    std::vector<Move> moves;
    for (int from = 0; from < SQUARES; ++from) {
        if (!p.board[from] || color_of(p.board[from]) != p.side) continue;
        for (const int to : slow_targets(p.board, from)) {
            std::uint8_t board[SQUARES];
            std::memcpy(board, p.board, SQUARES);
            board[to] = board[from];
            board[from] = 0;
            if (slow_is_safe(board, p.side)) moves.push_back(make_move(from, to));
        }
    }
    std::sort(moves.begin(), moves.end());
    return moves;
}

std::vector<Move> legal(const Position& p) {
    MoveList list;
    generate_legal(p, list);
    std::vector<Move> moves(list.begin(), list.end());
    std::sort(moves.begin(), moves.end());
    return moves;
}

// Checks what must hold in each position; returns its legal moves.
std::vector<Move> check_position(const Position& p) {
    const std::string fen = write_fen(p);
    const std::vector<Move> moves = legal(p);
    check(moves == slow_legal(p), "legal moves of " + fen);
    check(p.is_check() == !slow_is_safe(p.board, p.side), "check in " + fen);
    check(count_legal(p) == static_cast<int>(moves.size()), "count_legal of " + fen);
    check(has_legal_move(p) == !moves.empty(), "has_legal_move of " + fen);
    check(p.key == p.computed_key(), "key of " + fen);
    check(position_fault(p).empty(), "soundness of " + fen);
    check(position(fen) == p, "FEN round trip of " + fen);

    std::uint8_t packed[PACKED_SIZE], again[PACKED_SIZE];
    pack(p, packed);
    Position back;
    check(unpack(packed, back).empty() && back.key == p.key, "packing of " + fen);
    pack(back, again);
    check(std::memcmp(packed, again, PACKED_SIZE) == 0, "second packing of " + fen);

    const Position mirrored = p.mirrored(), flipped = p.flipped();
    check(mirrored.mirrored() == p && flipped.flipped() == p, "mirror and flip of " + fen);
    std::vector<Move> mirror_moves, flip_moves;
    for (const Move move : moves) {
        const int from = from_of(move), to = to_of(move);
        mirror_moves.push_back(make_move(mirror_square(from), mirror_square(to)));
        flip_moves.push_back(make_move(flip_square(from), flip_square(to)));
        Position next = p;
        const Undo last = next.play(move);
        check(!(next == p), "a move changes " + fen);
        next.undo(last);
        check(next == p, "undo of " + write_move(move, 0) + " in " + fen);
    }
    std::sort(mirror_moves.begin(), mirror_moves.end());
    std::sort(flip_moves.begin(), flip_moves.end());
    check(legal(mirrored) == mirror_moves, "moves of the mirror of " + fen);
    check(legal(flipped) == flip_moves, "moves of the flip of " + fen);
    return moves;
}

// --- subjects --------------------------------------------------------------------------------

void test_lines() {
    for (int square = 0; square < SQUARES; ++square) {
        // Every occupancy of the rank with an empty file, and the other way round.
        const int file = file_of(square), rank = rank_of(square);
        for (const bool along : {false, true}) {
            for (int occupancy = 0; occupancy < (along ? 1 << RANKS : 1 << FILES); ++occupancy) {
                std::uint8_t board[SQUARES] = {};
                for (int i = 0; i < (along ? RANKS : FILES); ++i)
                    if (occupancy >> i & 1)
                        board[along ? square_at(file, i) : square_at(i, rank)] = 1;
                Bitboard occupied = 0;
                for (int s = 0; s < SQUARES; ++s)
                    if (board[s]) occupied |= bit(s);
                const Reach line = lines(square, occupied);
                for (const int type : {ROOK, CANNON}) {
                    board[square] = static_cast<std::uint8_t>(piece_code(BLACK, type));
                    Bitboard expected = 0;
                    for (const int target : slow_targets(board, square)) expected |= bit(target);
                    check((type == ROOK ? line.reach : (line.reach & ~occupied) | line.jump) ==
                              expected,
                          "lines of square " + std::to_string(square));
                }
            }
        }
    }
    Random random{1};
    for (int round = 0; round < 10000; ++round) {
        Bitboard b = 0;
        int n = 0;
        for (int i = random.below(SQUARES); i > 0; --i) {
            const int square = random.below(SQUARES);
            n += !has(b, square);
            b |= bit(square);
        }
        check(count(b) == n, "count");
        for (int last = -1; b; --n) {
            const int square = pop_lowest(b);
            check(square > last, "pop_lowest");
            last = square;
        }
        check(n == 0, "pop_lowest finds all");
    }
}

void test_perft() {
    static const struct {
        const char* fen;
        int depth;
        std::uint64_t leaves;
    } CASES[] = {
        {"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", 5, 133312995},
        {MIDDLE, 4, 4485547},
        {ENDING, 4, 92741},
    };
    for (const auto& c : CASES) {
        const std::uint64_t leaves = perft(position(c.fen), c.depth);
        check(leaves == c.leaves, std::string(c.fen) + ": " + std::to_string(leaves) + ", not " +
                                      std::to_string(c.leaves));
    }
    const std::uint64_t START_LEAVES[] = {1, 44, 1920, 79666, 3290240};
    for (int depth = 0; depth < 5; ++depth)
        check(perft(START, depth) == START_LEAVES[depth],
              "perft of the start at depth " + std::to_string(depth));
}

void walk(const Position& p, int depth) {
    for (const Move move : check_position(p)) {
        if (!depth) return;
        Position next = p;
        next.play(move);
        walk(next, depth - 1);
    }
}

void test_keys() {
    check(START.key == GOLDEN_START, "key of the start: " + std::to_string(START.key));
    const Position middle = position(MIDDLE);
    check(middle.key == GOLDEN_MIDDLE, "key of the middle game: " + std::to_string(middle.key));
    check(START.mirrored().key == START.key, "the start is its own mirror");
    check(START.flipped().board[0] == START.board[0] && START.flipped().side == BLACK,
          "the flipped start is the start with Black to move");
    walk(START, 1);
    walk(middle, 1);
    walk(position(ENDING), 1);
}

// Two kings and some other pieces at random, mostly near them: checks, double checks, pins, screens
// and blocked legs of all kinds, far more often than in games.
Position random_position(Random& random) {
    for (;;) {
        Position p;
        p.put(square_at(3 + random.below(3), random.below(3)), piece_code(RED, KING));
        p.put(square_at(3 + random.below(3), 7 + random.below(3)), piece_code(BLACK, KING));
        for (int i = 3 + random.below(20); i > 0; --i) {
            const int square = random.below(2) ? random.below(SQUARES)
                                               : square_at(2 + random.below(5), random.below(RANKS));
            const int code = 1 + random.below(14);
            if (!p.board[square] && type_of(code) != KING) p.put(square, code);
        }
        p.side = static_cast<std::uint8_t>(random.below(2));
        p.key = p.computed_key();
        if (position_fault(p).empty()) return p;
    }
}

void test_rules() {
    Random random{2};
    int checks = 0, doubles = 0, mates = 0;
    for (int round = 0; round < 20000; ++round) {
        const Position p = random_position(random);
        checks += p.is_check();
        doubles += more_than_one(p.checkers());
        mates += check_position(p).empty();
    }
    check(checks > 1000 && doubles > 100 && mates > 10,
          "random positions are rich: " + std::to_string(checks) + " checks, " +
              std::to_string(doubles) + " double, " + std::to_string(mates) + " without a move");
    for (int game = 0; game < 100; ++game) {
        Position p = START;
        for (int ply = 0; ply < 100; ++ply) {
            const std::vector<Move> moves = check_position(p);
            if (moves.empty()) break;
            p.play(moves[static_cast<std::size_t>(random.below(static_cast<int>(moves.size())))]);
        }
    }
    const Position p = position(MIDDLE);
    const std::vector<Move> moves = legal(p);
    for (int code = 0; code <= 0xFFFF; ++code)
        check(is_legal(p, static_cast<Move>(code)) ==
                  std::binary_search(moves.begin(), moves.end(), code),
              "is_legal of code " + std::to_string(code));
}

void test_pack() {
    // Corrupted boards: never accepted as a position that packs to other bytes.
    Random random{3};
    std::uint8_t packed[PACKED_SIZE], again[PACKED_SIZE];
    const Position middle = position(MIDDLE);
    Position p;
    int kept = 0;
    for (int round = 0; round < 20000; ++round) {
        pack(middle, packed);
        for (int i = 1 + random.below(3); i > 0; --i) {
            const int shift = 4 * random.below(2), value = random.below(16);
            std::uint8_t& byte = packed[random.below(PACKED_SIZE)];
            byte = static_cast<std::uint8_t>((byte & ~(15 << shift)) | value << shift);
        }
        if (!unpack(packed, p).empty()) continue;
        ++kept;
        pack(p, again);
        check(std::memcmp(packed, again, PACKED_SIZE) == 0, "corrupted board " + write_fen(p));
    }
    check(kept > 100, "some corrupted boards are positions: " + std::to_string(kept));
}

void test_expand() {
    // Central cannon, horse out; then a cannon that jumps over nothing.
    const std::uint16_t moves[] = {read_move("h2e2", 0), read_move("H9-G7", 0),
                                   read_move("h10g8", 1), read_move("e2e6", 0)};
    check(moves[1] == moves[2] && moves[1] != NO_MOVE, "two ways to write a move");
    check(write_move(moves[1], 0) == "h9g7" && write_move(moves[1], 1) == "h10g8", "write_move");
    for (const char* text : {"", "h2", "h2h2", "j2e2", "h2e22", "h2ee", "h10e2", "h2--e2"})
        check(read_move(text, 0) == NO_MOVE, std::string("no move: ") + text);
    for (const char* text : {"h0e3", "h11e3", "h3e3 ", "h3"})
        check(read_move(text, 1) == NO_MOVE, std::string("no move: ") + text);

    const std::int64_t offsets[] = {0, 2, 4};
    const Position starts[] = {position("3k5/9/9/9/9/9/9/9/9/5K2R b - - 3 7")};
    const std::int64_t start_index[] = {-1, 0};
    const Games games{moves, offsets, 2, starts, start_index};
    std::int32_t legal_plies[2];
    replay_games(games, legal_plies);
    check(legal_plies[0] == 2 && legal_plies[1] == 0, "replay counts legal plies");
    std::uint8_t board[6 * PACKED_SIZE], flags[6];
    std::uint64_t key[6];
    std::int32_t game[6], ply[6];
    std::uint16_t move[6];
    check(expand_games(games, {board, key, flags, game, ply, move}) == 2, "first illegal move");
    check(key[0] == START.key && ply[2] == 2 && game[2] == 0 && move[2] == NO_MOVE, "rows");
    check(game[3] == 1 && ply[3] == 0 && key[3] == starts[0].key, "row of the second game");
}

}  // namespace

int main(int argc, char** argv) {
    const std::string subject = argc > 1 ? argv[1] : "";
    if (subject == "lines") test_lines();
    else if (subject == "perft") test_perft();
    else if (subject == "keys") test_keys();
    else if (subject == "rules") test_rules();
    else if (subject == "pack") test_pack();
    else if (subject == "expand") test_expand();
    else return std::puts("usage: xiangqi_tests lines|perft|keys|rules|pack|expand"), 2;
    return failures ? 1 : 0;
}
