#include "xiangqi/move.hpp"

namespace tabia::xiangqi {
namespace {

std::string square_text(int square, int first_rank) {
    return static_cast<char>('a' + file_of(square)) + std::to_string(rank_of(square) + first_rank);
}

// Reads a square off the front of the text; NO_SQUARE if there is none.
int read_square(std::string_view& text, int first_rank) {
    if (text.size() < 2) return NO_SQUARE;
    char letter = text[0];
    if (letter >= 'A' && letter <= 'I') letter = static_cast<char>(letter + 32);
    if (letter < 'a' || letter > 'i' || text[1] < '0' || text[1] > '9') return NO_SQUARE;
    int rank = text[1] - '0';
    text.remove_prefix(2);
    if (first_rank == 1 && rank == 1 && !text.empty() && text[0] == '0') {
        rank = 10;
        text.remove_prefix(1);
    }
    rank -= first_rank;
    return rank < 0 ? NO_SQUARE : square_at(letter - 'a', rank);
}

}  // namespace

std::string write_move(Move move, int first_rank) {
    return square_text(from_of(move), first_rank) + square_text(to_of(move), first_rank);
}

Move read_move(std::string_view text, int first_rank) {
    const int from = read_square(text, first_rank);
    if (from == NO_SQUARE) return NO_MOVE;
    if (!text.empty() && text[0] == '-') text.remove_prefix(1);
    const int to = read_square(text, first_rank);
    if (to == NO_SQUARE || to == from || !text.empty()) return NO_MOVE;
    return make_move(from, to);
}

}  // namespace tabia::xiangqi
