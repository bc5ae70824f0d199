#include "xiangqi/like_pieces.hpp"
#include "xiangqi/notation.hpp"

namespace tabia::xiangqi {
namespace {

bool is_chinese(Style style) { return style == Style::SIMPLIFIED || style == Style::TRADITIONAL; }

// Which piece moves, in the form that the style prefers.
void set_origin(Token& token, const Groups& groups, int from, Style style) {
    const Group* own = groups.begin();
    int place = NOT_GIVEN, before = 0;
    for (const Group& group : groups) {
        for (int i = 0; i < group.size; ++i)
            if (group.squares[i] == from) own = &group, place = i;
        if (place != NOT_GIVEN) break;
        if (group.size > 1) before += group.size;
    }
    token.file = static_cast<std::uint8_t>(own->file);
    if (own->size == 1) return;
    const bool chinese = is_chinese(style), is_last = place == own->size - 1;
    if (own->size > 3 || groups.shared > 1) {
        token.mark = chinese ? Mark::ACROSS : Mark::ORDINAL;
        token.ordinal = static_cast<std::uint8_t>(chinese ? before + place + 1 : place + 1);
        if (chinese) token.file = 0;
        return;
    }
    if (place && !is_last && !chinese) return;  // of three pawns the middle one keeps the file
    token.file = 0;
    if (place && !is_last) token.mark = Mark::MIDDLE;
    else if (chinese) token.mark = place ? Mark::REAR : Mark::FRONT;
    else token.mark = place ? Mark::MINUS : Mark::PLUS;
}

constexpr const char* HAN_NUMBERS[] = {"", "一", "二", "三", "四", "五", "六", "七", "八", "九"};
constexpr const char* WIDE_DIGITS[] = {"", "１", "２", "３", "４", "５", "６", "７", "８", "９"};
// [is traditional][colour][type]
constexpr const char* HAN_PIECES[2][2][8] = {
    {{"", "帅", "仕", "相", "马", "车", "炮", "兵"}, {"", "将", "士", "象", "马", "车", "炮", "卒"}},
    {{"", "帥", "仕", "相", "馬", "車", "炮", "兵"}, {"", "將", "士", "象", "馬", "車", "炮", "卒"}},
};

std::string chinese_text(const Token& token, int color, bool is_traditional) {
    const auto* numbers = color == RED ? HAN_NUMBERS : WIDE_DIGITS;
    const std::string piece = HAN_PIECES[is_traditional][color][token.piece];
    std::string text;
    switch (token.mark) {
        case Mark::FRONT: text = "前" + piece; break;
        case Mark::MIDDLE: text = "中" + piece; break;
        case Mark::REAR: text = (is_traditional ? "後" : "后") + piece; break;
        case Mark::ACROSS: text = HAN_NUMBERS[token.ordinal] + piece; break;
        default: text = piece + numbers[token.file];
    }
    switch (token.action) {
        case Action::ADVANCE: text += is_traditional ? "進" : "进"; break;
        case Action::RETREAT: text += "退"; break;
        case Action::SIDEWAYS: text += "平"; break;
    }
    return text + numbers[token.number];
}

std::string wxf_text(const Token& token, int color, bool is_playok) {
    char text[4];
    char piece = "?KAEHRCP"[token.piece];
    if (is_playok && color == BLACK) piece = static_cast<char>(piece + 32);
    text[0] = token.mark == Mark::ORDINAL ? static_cast<char>('0' + token.ordinal) : piece;
    text[1] = token.mark == Mark::PLUS    ? '+'
              : token.mark == Mark::MINUS ? '-'
                                          : static_cast<char>('0' + token.file);
    text[2] = token.action == Action::ADVANCE   ? '+'
              : token.action == Action::RETREAT ? '-'
              : is_playok                       ? '.'
                                                : '=';
    text[3] = static_cast<char>('0' + token.number);
    return {text, 4};
}

}  // namespace

std::string write_text(const Position& p, Move move, Style style) {
    if (style == Style::UCCI || style == Style::UCI) return write_move(move, style == Style::UCI);
    const int from = from_of(move), to = to_of(move), color = p.side;
    if (style == Style::ICCS) {
        const auto letter = [](int square) { return static_cast<char>('A' + file_of(square)); };
        const auto digit = [](int square) { return static_cast<char>('0' + rank_of(square)); };
        return {letter(from), digit(from), '-', letter(to), digit(to)};
    }
    Token token;
    token.form = Form::RELATIVE;
    token.piece = static_cast<std::uint8_t>(type_of(p.board[from]));
    const int advance = relative_rank(color, to) - relative_rank(color, from);
    token.action = advance > 0   ? Action::ADVANCE
                   : advance < 0 ? Action::RETREAT
                                 : Action::SIDEWAYS;
    const bool keeps_file = file_of(from) == file_of(to);
    token.number = static_cast<std::uint8_t>(keeps_file ? (advance > 0 ? advance : -advance)
                                                        : relative_file(color, to));
    const Groups groups(p, token.piece);
    const bool is_defender = token.piece == ADVISOR || token.piece == ELEPHANT;
    if (is_chinese(style) && is_defender) {
        // Where two share a file, only one of them can go so, unless they stand where moves never
        // bring them.
        token.file = static_cast<std::uint8_t>(relative_file(color, from));
        if (resolve(p, token, 0).move != move || resolve(p, token, 0).fault != Fault::NONE)
            set_origin(token, groups, from, style);
    } else {
        set_origin(token, groups, from, style);
    }
    if (is_chinese(style)) return chinese_text(token, color, style == Style::TRADITIONAL);
    return wxf_text(token, color, style == Style::PLAYOK);
}

}  // namespace tabia::xiangqi
