#include "xiangqi/like_pieces.hpp"
#include "xiangqi/notation.hpp"

namespace tabia::xiangqi {
namespace {

// Where a piece of that type goes from a square, or NO_SQUARE if it cannot move so.
int target(const Position& p, int type, int from, Action action, int number) {
    const int color = p.side, file = relative_file(color, from);
    int rank = relative_rank(color, from), to_file = file, step = 0;
    switch (type) {
        case KING: case ROOK: case CANNON: case PAWN:
            if (action == Action::SIDEWAYS) {
                to_file = number;
                if (to_file == file) return NO_SQUARE;
            } else {
                step = number;
            }
            break;
        default: {
            const int wide = number > file ? number - file : file - number;
            to_file = number;
            if (type == HORSE && (wide == 1 || wide == 2)) step = 3 - wide;
            else if (type == ELEPHANT && wide == 2) step = 2;
            else if (type == ADVISOR && wide == 1) step = 1;
            if (!step || action == Action::SIDEWAYS) return NO_SQUARE;
        }
    }
    rank += action == Action::RETREAT ? -step : step;
    return rank >= 0 && rank < RANKS ? square_from(color, to_file, rank) : NO_SQUARE;
}

// Candidates and the legal moves among them.
struct Candidates {
    const Position& p;
    const Token& token;
    Resolved found{NO_MOVE, Fault::ILLEGAL};

    void add(int from) {
        const int to = target(p, token.piece, from, token.action, token.number);
        if (to == NO_SQUARE) return;
        const Move move = make_move(from, to);
        if (!is_legal(p, move)) return;
        const bool is_first = found.move == NO_MOVE;
        found = {is_first ? move : found.move, is_first ? Fault::NONE : Fault::AMBIGUOUS};
    }
    bool is_empty() const { return found.move == NO_MOVE; }
};

int place_in(const Group& group, Mark mark, int ordinal) {
    const int n = group.size;
    switch (mark) {
        case Mark::FRONT: case Mark::FOREMOST: return 0;
        case Mark::REAR: case Mark::REARMOST: return n - 1;
        case Mark::MIDDLE: return n % 2 && n > 1 ? n / 2 : NOT_GIVEN;
        case Mark::PLUS: return n > 3 ? 1 : 0;
        case Mark::MINUS: return n > 3 ? n - 2 : n - 1;
        case Mark::ORDINAL: return ordinal <= n ? ordinal - 1 : NOT_GIVEN;
        default: return NOT_GIVEN;
    }
}

// Pieces that a mark picks on each file, or on the file given.
Resolved by_mark(const Position& p, const Token& token, const Groups& groups, Mark mark) {
    Candidates candidates{p, token};
    for (const Group& group : groups) {
        if (token.file ? group.file != token.file : group.size < 2) continue;
        const int place = place_in(group, mark, token.ordinal);
        if (place != NOT_GIVEN) candidates.add(group.squares[place]);
    }
    return candidates.found;
}

Resolved across(const Position& p, const Token& token, const Groups& groups) {
    int left = token.ordinal;
    for (const Group& group : groups) {
        if (group.size < 2) continue;
        if (left <= group.size) {
            Candidates candidates{p, token};
            candidates.add(group.squares[left - 1]);
            return candidates.found;
        }
        left -= group.size;
    }
    return {NO_MOVE, Fault::ILLEGAL};
}

Resolved by_file(const Position& p, const Token& token, const Groups& groups) {
    for (const Group& group : groups) {
        if (group.file != token.file) continue;
        Candidates candidates{p, token};
        // Of three or five on a file, the file's number alone means the one in the middle.
        if (group.size > 2 && group.size % 2) candidates.add(group.squares[group.size / 2]);
        if (!candidates.is_empty()) return candidates.found;
        for (int i = 0; i < group.size; ++i) candidates.add(group.squares[i]);
        return candidates.found;
    }
    return {NO_MOVE, Fault::ILLEGAL};
}

Resolved resolve_relative(const Position& p, const Token& token) {
    if (token.file && token.mark == Mark::NONE) {
        const Bitboard like = p.pieces(p.side, token.piece);
        Bitboard on_file = 0;
        const int file = p.side == RED ? FILES - token.file : token.file - 1;
        for (Bitboard b = like; b;) {
            const int square = pop_lowest(b);
            if (file_of(square) == file) on_file |= bit(square);
        }
        if (!on_file) return {NO_MOVE, Fault::ILLEGAL};
        if (!more_than_one(on_file)) {  // nearly always
            Candidates candidates{p, token};
            candidates.add(lowest(on_file));
            return candidates.found;
        }
        return by_file(p, token, Groups(p, token.piece));
    }
    const Groups groups(p, token.piece);
    if (token.mark == Mark::ACROSS) {
        const Resolved found = across(p, token, groups);
        if (found.fault == Fault::NONE || groups.shared < 2) return found;
        // Some number the pawns of each file by themselves.
        return by_mark(p, token, groups, Mark::ORDINAL);
    }
    const Resolved found = by_mark(p, token, groups, token.mark);
    if (found.fault != Fault::ILLEGAL) return found;
    // Some write + and - for the outermost of four or five, too.
    if (token.mark == Mark::PLUS) return by_mark(p, token, groups, Mark::FRONT);
    if (token.mark == Mark::MINUS) return by_mark(p, token, groups, Mark::REAR);
    return found;
}

int square_of(int file, int rank, int first_rank) {
    rank -= first_rank;
    return rank >= 0 && rank < RANKS ? square_at(file, rank) : NO_SQUARE;
}

Resolved resolve_squares(const Position& p, const Token& token, int first_rank) {
    const int from = square_of(token.from_file, token.from_rank, first_rank);
    const int to = square_of(token.to_file, token.to_rank, first_rank);
    if (from == NO_SQUARE || to == NO_SQUARE || from == to) return {NO_MOVE, Fault::BAD};
    const Move move = make_move(from, to);
    if (!is_legal(p, move)) return {NO_MOVE, Fault::ILLEGAL};
    return {move, Fault::NONE};
}

Resolved resolve_san(const Position& p, const Token& token, int first_rank) {
    const int to = square_of(token.to_file, token.to_rank, first_rank);
    if (to == NO_SQUARE) return {NO_MOVE, Fault::BAD};
    Resolved found{NO_MOVE, Fault::ILLEGAL};
    for (Bitboard b = p.pieces(p.side, token.piece); b;) {
        const int from = pop_lowest(b);
        if (token.from_file != NOT_GIVEN && file_of(from) != token.from_file) continue;
        if (token.from_rank != NOT_GIVEN && rank_of(from) != token.from_rank - first_rank) continue;
        const Move move = make_move(from, to);
        if (!is_legal(p, move)) continue;
        const bool is_first = found.move == NO_MOVE;
        found = {is_first ? move : found.move, is_first ? Fault::NONE : Fault::AMBIGUOUS};
    }
    return found;
}

}  // namespace

Resolved resolve(const Position& p, const Token& token, int first_rank) {
    switch (token.form) {
        case Form::RELATIVE: return resolve_relative(p, token);
        case Form::SQUARES: return resolve_squares(p, token, first_rank);
        case Form::SAN: return resolve_san(p, token, first_rank);
        default: return {NO_MOVE, Fault::BAD};
    }
}

std::int64_t read_game(Position& p, const Token* tokens, std::int64_t n, int first_rank,
                       Move* codes, Fault& fault) {
    for (std::int64_t i = 0; i < n; ++i) {
        const Resolved found = resolve(p, tokens[i], first_rank);
        fault = found.fault;
        if (fault != Fault::NONE) return i;
        codes[i] = found.move;
        p.play(found.move);
    }
    fault = Fault::NONE;
    return n;
}

}  // namespace tabia::xiangqi
