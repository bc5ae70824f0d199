#include "go/text.hpp"

#include <cctype>
#include <vector>

namespace tabia::go {
namespace {

constexpr std::string_view LETTERS = "ABCDEFGHJKLMNOPQRST";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

char upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }

std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0;;) {
        const std::size_t end = text.find(at, begin);
        parts.push_back(text.substr(begin, end - begin));
        if (end == std::string_view::npos) return parts;
        begin = end + 1;
    }
}

std::string quoted(std::string_view text) {
    std::string out(text);
    out.insert(out.begin(), '\'');
    out += '\'';
    return out;
}

// A number of at most `limit`, -1 if the text is none.
int number(std::string_view text, int limit) {
    int value = 0;
    if (text.empty() || text.size() > 5) return -1;
    for (const char c : text) {
        if (!is_digit(c)) return -1;
        value = 10 * value + (c - '0');
    }
    return value <= limit ? value : -1;
}

// Puts the row's stones down; returns its columns, or -1 at a letter that is none.
int read_row(std::string_view text, int row, Board& board) {
    const int size = board.size();
    int column = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (is_digit(text[i])) {
            int run = 0;
            for (; i < text.size() && is_digit(text[i]) && run < 100; ++i)
                run = 10 * run + (text[i] - '0');
            --i;
            column += run;
            continue;
        }
        const std::uint8_t color = text[i] == 'X' ? BLACK : text[i] == 'O' ? WHITE : EMPTY;
        if (color == EMPTY) return -1;
        if (column < size) board.put(board.geometry().cell_of[make_move(row, column)], color);
        ++column;
    }
    return column;
}

}  // namespace

std::string write_vertex(Move move, int size) {
    if (move == PASS) return "pass";
    return LETTERS[column_of(move)] + std::to_string(size - row_of(move));
}

Move read_vertex(std::string_view text, int size) {
    if (text.size() == 4 && upper(text[0]) == 'P' && upper(text[1]) == 'A' &&
        upper(text[2]) == 'S' && upper(text[3]) == 'S')
        return PASS;
    if (text.size() < 2 || text[1] == '0') return NO_MOVE;
    const std::size_t column = LETTERS.find(upper(text[0]));
    const int row = number(text.substr(1), size);
    if (column >= static_cast<std::size_t>(size) || row < 1) return NO_MOVE;
    return make_move(size - row, static_cast<int>(column));
}

std::string board_fault(const Board& board) {
    const Geometry& g = board.geometry();
    for (int i = 0; i < g.n_points; ++i) {
        const int cell = g.cells[i];
        if (board.color(cell) != EMPTY && board.pseudo_liberties(board.chain(cell)) == 0)
            return "the stone at " + write_vertex(g.code_of[cell], g.size) + " has no liberty";
    }
    if (const int ko = board.ko()) {
        const std::uint8_t own = board.to_move(), other = opponent(own);
        Board after = board;
        after.set_ko(0);
        const bool is_ko = board.color(ko) == EMPTY && board.own_neighbours(ko, other) == 4 &&
                           after.play(ko) == 1 && after.ko();
        if (!is_ko)
            return "no ko forbids " + write_vertex(g.code_of[ko], g.size) + " to the side to move";
    }
    return "";
}

std::string parse_text(std::string_view text, Board& board, int& passes) {
    const auto fields = split(text, ' ');
    if (fields.size() > 6) return "more than six fields";
    const auto rows = split(fields[0], '/');
    const int size = static_cast<int>(rows.size());
    if (size < MIN_SIZE || size > MAX_SIZE)
        return std::to_string(size) + " rows; boards have 5 to 19";
    board = Board(size);
    for (int row = 0; row < size; ++row) {
        const int columns = read_row(rows[row], row, board);
        const std::string where = "row " + std::to_string(row + 1) + " " + quoted(rows[row]);
        if (columns < 0) return where + ": not X, O or a number";
        if (columns != size)
            return where + ": " + std::to_string(columns) + " columns; with " +
                   std::to_string(size) + " rows there must be as many";
    }
    const auto field = [&](std::size_t i, std::string_view missing) {
        return i < fields.size() ? fields[i] : missing;
    };
    const std::string_view side = field(1, "b");
    if (side != "b" && side != "w") return "side " + quoted(side) + " is not b or w";
    board.set_to_move(side == "b" ? BLACK : WHITE);
    if (const std::string_view ko = field(2, "-"); ko != "-") {
        const Move move = read_vertex(ko, size);
        if (move >= PASS) return "ko " + quoted(ko) + " is no vertex of this board";
        board.set_ko(board.geometry().cell_of[move]);
    }
    passes = number(field(3, "0"), 2);
    if (passes < 0) return "passes " + quoted(field(3, "")) + " are not 0, 1 or 2";
    if (passes && board.ko()) return "a ko cannot stand after a pass";
    for (const std::uint8_t color : {BLACK, WHITE}) {
        const int stones = number(field(3U + color, "0"), 65535);
        if (stones < 0) return "prisoners " + quoted(field(3U + color, "")) + " are no number";
        board.set_prisoners(color, stones);
    }
    return board_fault(board);
}

std::string write_text(const Board& board, int passes) {
    const Geometry& g = board.geometry();
    std::string text;
    for (int row = 0; row < g.size; ++row) {
        if (row) text += '/';
        int run = 0;
        for (int column = 0; column <= g.size; ++column) {
            const std::uint8_t color = board.color(g.stride * (row + 1) + column + 1);
            if (column < g.size && color == EMPTY) {
                ++run;
                continue;
            }
            if (run) text += std::to_string(run);
            run = 0;
            if (column < g.size) text += color == BLACK ? 'X' : 'O';
        }
    }
    text += board.to_move() == BLACK ? " b " : " w ";
    text += board.ko() ? write_vertex(g.code_of[board.ko()], g.size) : "-";
    for (const int n : {passes, board.prisoners(BLACK), board.prisoners(WHITE)})
        text.append(1, ' ').append(std::to_string(n));
    return text;
}

}  // namespace tabia::go
