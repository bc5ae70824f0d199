#include "chess/pgn.hpp"

#include <algorithm>
#include <cstring>

#include "chess/fen.hpp"
#include "chess/pack.hpp"
#include "chess/pgn_chars.hpp"
#include "chess/san.hpp"
#include "chess/text.hpp"
#include "chess/zobrist.hpp"

namespace tabia::chess {
namespace {

// `1-0` and the like as a whole token at `p`; sets the end.
bool at_result(const char* p, const char* end, std::int8_t& result, const char*& after) {
    const char* q = p;
    while (q < end && !CHARS.ends_token[static_cast<unsigned char>(*q)]) ++q;
    after = q;
    return read_result({p, static_cast<std::size_t>(q - p)}, result);
}

class Parser {
public:
    Parser(std::string_view block, std::int64_t base_offset, std::int64_t base_line,
           std::int64_t base_ordinal, ParsedPgn& out)
        : begin_(block.data()), end_(begin_ + block.size()), p_(begin_), counted_(begin_),
          base_offset_(base_offset), line_(base_line), base_ordinal_(base_ordinal), out_(out) {}

    void run() {
        while (find_game()) {
            start_game();
            if (*p_ == '[') read_tags();
            set_up();
            read_movetext();
            finish_game();
        }
    }

private:
    const char* const begin_;
    const char* const end_;
    const char* p_;
    const char* counted_;  // line feeds before here are in line_
    const std::int64_t base_offset_;
    std::int64_t line_;
    const std::int64_t base_ordinal_;
    ParsedPgn& out_;

    // The game being read.
    const char* game_start_ = nullptr;
    TagValue tags_[TAG_COUNT];
    Position position_;
    std::uint64_t hash_ = 0;
    bool chess960_ = false;
    bool from_fen_ = false;
    bool rejected_ = false;
    Reject reason_ = Reject::BAD_TAG;
    std::string detail_;
    std::string foreign_;  // the fault of the first word in another script
    std::size_t first_move_ = 0;
    bool has_evals_ = false, has_clocks_ = false;
    bool has_token_ = false;
    std::int8_t token_result_ = RESULT_NULL;

    void reject(Reject reason, std::string detail) {
        if (rejected_) return;  // the first fault is the one to tell
        rejected_ = true;
        reason_ = reason;
        detail_ = std::move(detail);
    }

    std::string move_number() const {
        return "move " + std::to_string(position_.fullmove) +
               (position_.side == WHITE ? ". " : "... ");
    }

    static std::string excerpt(std::string_view text) {
        std::string shown(text.substr(0, 60));
        if (text.size() > 60) shown += "...";
        return shown;
    }

    void skip_line() {
        while (p_ < end_ && !is_line_end(*p_)) ++p_;
    }

    // Between games: moves to the next tag section or movetext. What is neither (result tokens
    // that repeat, remarks, mail headers) belongs to no game.
    bool find_game() {
        std::int64_t depth = 0;
        while (p_ < end_) {
            const char c = *p_;
            switch (class_of(c)) {
                case BRACKET:
                    if (depth == 0 ? names_tag(p_, end_) : at_tag(begin_, p_, end_)) return true;
                    ++p_;
                    break;
                case OPEN_COMMENT: skip_comment(false); break;
                case OPEN_VARIATION: ++depth; ++p_; break;
                case CLOSE_VARIATION: depth -= depth > 0; ++p_; break;
                case REST_OF_LINE: skip_line(); break;
                case DIGIT:
                case WORD: {
                    if (c == '%' && at_line_start(begin_, p_)) {
                        skip_line();
                        break;
                    }
                    if (starts_with(p_, end_, "\xEF\xBB\xBF", 3)) {
                        p_ += 3;
                        break;
                    }
                    if (depth == 0 && at_movetext()) return true;
                    while (p_ < end_ && !CHARS.ends_token[static_cast<unsigned char>(*p_)]) ++p_;
                    break;
                }
                default: ++p_;
            }
        }
        return false;
    }

    // A move number with its full stop, or a token of a move's shape with or without a number.
    bool at_movetext() const {
        const char* q = p_;
        while (q < end_ && is_digit(*q)) ++q;
        if (q > p_) {
            if (q < end_ && *q == '.') return true;
            if (starts_with(q, end_, "\xE2\x80\xA6", 3)) return true;
            if (q < end_ && *q == '-') q = p_;  // 0-0
        }
        const char* e = q;
        while (e < end_ && !CHARS.ends_token[static_cast<unsigned char>(*e)]) ++e;
        // Any position will do: only the shape is asked for.
        const SanStatus status =
            read_san(START, {q, static_cast<std::size_t>(e - q)}).status;
        return status != SanStatus::SYNTAX && status != SanStatus::NULL_MOVE;
    }

    void start_game() {
        game_start_ = p_;
        line_ += std::count(counted_, p_, '\n');
        counted_ = p_;
        for (TagValue& tag : tags_) tag = TagValue{};
        foreign_.clear();
        rejected_ = from_fen_ = chess960_ = has_evals_ = has_clocks_ = has_token_ = false;
        token_result_ = RESULT_NULL;
        first_move_ = out_.games.moves.size();
        ++out_.found;
    }

    void read_tags() {
        bool after_blank = false;
        bool first = true;
        while (true) {
            int newlines = 0;
            while (p_ < end_ && (class_of(*p_) == SPACE || class_of(*p_) == NEWLINE)) {
                newlines += *p_ == '\n';
                ++p_;
            }
            after_blank |= newlines > 1;
            if (p_ == end_) return;
            if ((*p_ == '%' || *p_ == ';') && at_line_start(begin_, p_)) {
                skip_line();
                continue;
            }
            if (*p_ != '[' || (p_ + 1 < end_ && p_[1] == '%')) return;
            if (!first && after_blank && at_event(begin_, p_, end_)) return;
            const char* at = p_;
            Tag tag;
            TagValue value;
            if (!read_tag(p_, end_, tag, value)) {
                reject(Reject::BAD_TAG, "tag without a name: " +
                                            excerpt({at, static_cast<std::size_t>(p_ - at)}));
                continue;
            }
            if (tag != TAG_OTHER) {
                // After a blank line a tag seen before belongs to the next game: this one has
                // tags only.
                if (after_blank && tags_[tag].present) {
                    p_ = at;
                    return;
                }
                tags_[tag] = value;
            }
            first = false;
            after_blank = false;
        }
    }

    void set_up() {
        position_ = START;
        const TagValue& variant = tags_[TAG_VARIANT];
        if (variant.present) {
            const Variant kind = read_variant(variant.raw);
            chess960_ = kind == Variant::CHESS960;
            if (kind == Variant::UNKNOWN)
                reject(Reject::UNKNOWN_VARIANT, excerpt(unescaped(variant)));
        }
        const TagValue& fen = tags_[TAG_FEN];
        if (!rejected_ && fen.present && !says_nothing(fen.raw, TAG_FEN)) {
            std::string fault = parse_fen(fen.raw, position_);
            if (!fault.empty()) reject(Reject::BAD_FEN, std::move(fault));
            chess960_ |= needs_chess960(position_);
            from_fen_ = position_.key != START.key || position_.halfmove ||
                        position_.fullmove != 1;
        }
        std::uint8_t packed[PACKED_SIZE];
        pack(position_, packed);
        hash_ = chess960_;
        for (int i = 0; i < PACKED_SIZE; i += 8) {
            // Little-endian by hand: the hash must not depend on the machine.
            std::uint64_t word = 0;
            for (int j = 0; j < 8; ++j) word |= static_cast<std::uint64_t>(packed[i + j]) << 8 * j;
            add_to_hash(word);
        }
    }

    void add_to_hash(std::uint64_t word) { hash_ = mix64(hash_ ^ (word + 0x9E3779B97F4A7C15ULL)); }

    // Skips a brace comment. Braces do not nest (8.2.5). `of_game` says that a missing end is
    // this game's fault and that evaluations and clocks inside are its own.
    void skip_comment(bool of_game, bool main_line = false) {
        const char* q = p_ + 1;
        for (; q < end_; ++q) {
            if (*q == '}') {
                p_ = q + 1;
                return;
            }
            if (*q != '[') continue;
            if (q + 5 < end_ && q[1] == '%') {
                if (main_line) {
                    has_evals_ |= std::memcmp(q + 2, "eval", 4) == 0;
                    has_clocks_ |= std::memcmp(q + 2, "clk", 3) == 0;
                }
            } else if (at_event(begin_, q, end_)) {
                break;
            }
        }
        p_ = q;
        if (of_game) reject(Reject::UNTERMINATED_COMMENT, "a comment has no closing brace");
    }

    void read_movetext() {
        std::int64_t depth = 0;
        while (p_ < end_) {
            switch (class_of(*p_)) {
                case SPACE:
                case NEWLINE:
                case PERIOD:
                case OTHER:
                case CLOSE_COMMENT: ++p_; break;
                case DIGIT: {
                    const char* q = p_ + 1;
                    while (q < end_ && is_digit(*q)) ++q;
                    if (q < end_ && (*q == '-' || *q == '/')) {
                        if (result_or_word(depth)) return;
                    } else {
                        p_ = q;  // a move number; its full stops are skipped next
                    }
                    break;
                }
                case STAR:
                    ++p_;
                    if (depth) break;
                    has_token_ = true;
                    token_result_ = RESULT_NULL;
                    return;
                case WORD:
                    if (*p_ == '%' && at_line_start(begin_, p_)) {
                        skip_line();
                    } else if (depth || rejected_) {
                        skip_word();
                    } else if (static_cast<unsigned char>(*p_) >= 0x80) {
                        if (result_or_word(depth)) return;
                    } else {
                        word();
                    }
                    break;
                case OPEN_COMMENT: skip_comment(true, depth == 0); break;
                case REST_OF_LINE: skip_line(); break;
                case NAG:
                    ++p_;
                    while (p_ < end_ && is_digit(*p_)) ++p_;
                    break;
                case OPEN_VARIATION: ++depth; ++p_; break;
                case CLOSE_VARIATION:
                    ++p_;
                    if (depth) --depth;
                    else reject(Reject::UNBALANCED_VARIATION, move_number() + "')' without '('");
                    break;
                case BRACKET:
                    // Movetext has no brackets: at the start of a line they are the next game's.
                    if (at_tag(begin_, p_, end_) || at_event(begin_, p_, end_)) {
                        check_closed(depth);
                        return;
                    }
                    ++p_;
                    break;
            }
        }
        check_closed(depth);
    }

    void check_closed(std::int64_t depth) {
        if (depth)
            reject(Reject::UNBALANCED_VARIATION,
                   std::to_string(depth) + " '(' without ')' at the end of the game");
    }

    void skip_word() {
        while (p_ < end_ && !CHARS.ends_token[static_cast<unsigned char>(*p_)]) ++p_;
    }

    // A token that may be a result; true when it ends the game.
    bool result_or_word(std::int64_t depth) {
        // Marks that editors put in: ellipsis after a move number, hard space, byte order mark.
        for (const char* mark : {"\xE2\x80\xA6", "\xC2\xA0", "\xEF\xBB\xBF"}) {
            if (!starts_with(p_, end_, mark, std::strlen(mark))) continue;
            p_ += std::strlen(mark);
            return false;
        }
        std::int8_t result;
        const char* after;
        if (at_result(p_, end_, result, after)) {
            p_ = after;
            if (depth) return false;  // some programs end variations with one
            has_token_ = true;
            token_result_ = result;
            return true;
        }
        if (depth || rejected_) p_ = after;
        else word();
        return false;
    }

    void word() {
        const char* s = p_;
        skip_word();
        // e8(Q): the bracket is part of the move.
        if (end_ - p_ >= 3 && p_[0] == '(' && p_[2] == ')' && p_ > s &&
            (p_[-1] == '8' || p_[-1] == '1') && std::strchr("NBRQ", p_[1]) && p_[1])
            p_ += 3;
        const std::string_view token(s, static_cast<std::size_t>(p_ - s));
        const SanResult san = read_san(position_, token);
        switch (san.status) {
            case SanStatus::LEGAL: {
                const Move code = to_codec(position_, san.move, chess960_);
                out_.games.moves.push_back(code);
                add_to_hash(code);
                position_.play(san.move);
                return;
            }
            case SanStatus::SYNTAX:
                if (is_remark(token)) {
                    if (foreign_.empty() && has_foreign_letter(token))
                        foreign_ = move_number() + excerpt(token) + ": " + explain(san);
                    return;
                }
                break;
            default: break;
        }
        static constexpr Reject REASONS[] = {Reject::BAD_SAN, Reject::BAD_SAN,
                                             Reject::ILLEGAL_MOVE, Reject::AMBIGUOUS_MOVE,
                                             Reject::NULL_MOVE};
        reject(REASONS[static_cast<int>(san.status)],
               move_number() + excerpt(token) + ": " + explain(san));
    }

    // Tokens beside the moves: evaluation signs (+-, =, ±), N for a novelty, D for a diagram,
    // e.p. and mate written apart.
    static bool is_remark(std::string_view token) {
        bool has_alnum = false;
        for (const char c : token) has_alnum |= is_letter(c) || is_digit(c);
        if (!has_alnum) return true;
        for (const char* remark : {"N", "D", "e.p.", "ep", "e.p", "ch", "ch.", "mate"})
            if (token == remark) return true;
        return false;
    }

    // Whether a token has a letter of Cyrillic, Chinese or full-width script, in UTF-8. Greek ones
    // are signs here (Δ: with the idea).
    static bool has_foreign_letter(std::string_view token) {
        for (std::size_t i = 0; i + 1 < token.size(); ++i) {
            const auto lead = static_cast<unsigned char>(token[i]);
            const auto next = static_cast<unsigned char>(token[i + 1]);
            if (next < 0x80 || next > 0xBF) continue;
            if (lead >= 0xD0 && lead <= 0xD4) return true;
            if (i + 2 == token.size()) continue;
            const auto last = static_cast<unsigned char>(token[i + 2]);
            if (last < 0x80 || last > 0xBF) continue;
            if (lead == 0xE3 && next == 0x80) continue;  // punctuation
            if (lead >= 0xE3 && lead <= 0xED) return true;
            if (lead == 0xEF && next == 0xBC && last >= 0xA1 && last <= 0xBA) return true;
            if (lead == 0xEF && next == 0xBD && last >= 0x81 && last <= 0x9A) return true;
        }
        return false;
    }

    void finish_game() {
        const std::int64_t ordinal = base_ordinal_ + out_.found - 1;
        const std::int64_t offset = base_offset_ + (game_start_ - begin_);
        const std::size_t plies = out_.games.moves.size() - first_move_;
        // Words in place of moves: another game, or moves written in another script.
        if (plies == 0 && !foreign_.empty()) reject(Reject::BAD_SAN, foreign_);
        if (rejected_) {
            out_.games.moves.resize(first_move_);
            Rejects& r = out_.rejects;
            r.ordinal.push_back(ordinal);
            r.byte_offset.push_back(offset);
            r.line.push_back(line_);
            r.reason.push_back(static_cast<std::uint8_t>(reason_));
            r.legal_plies.push_back(static_cast<std::int32_t>(plies));
            r.detail.add(detail_);
            return;
        }
        Games& g = out_.games;
        g.ordinal.push_back(ordinal);
        g.byte_offset.push_back(offset);
        g.line.push_back(line_);
        for (int tag = 0; tag < TAG_FEN; ++tag) {
            const TagValue& value = tags_[tag];
            if (says_nothing(value.raw, static_cast<Tag>(tag))) g.text[tag].add_null();
            else if (value.escaped) g.text[tag].add(unescaped(value));
            else g.text[tag].add(value.raw);
        }
        if (from_fen_) g.text[TAG_FEN].add(start_fen());
        else g.text[TAG_FEN].add_null();
        g.chess960.push_back(chess960_);
        g.white_elo.push_back(read_elo(tags_[TAG_WHITE_ELO].raw));
        g.black_elo.push_back(read_elo(tags_[TAG_BLACK_ELO].raw));

        std::int8_t result = RESULT_NULL;
        const bool has_tag = read_result(tags_[TAG_RESULT].raw, result);
        g.result.push_back(has_tag ? result : token_result_);
        g.result_conflict.push_back(has_tag && has_token_ && result != token_result_);
        g.has_evals.push_back(has_evals_);
        g.has_clocks.push_back(has_clocks_);
        add_to_hash(plies);
        g.split_hash.push_back(hash_);
        g.ply_offsets.push_back(static_cast<std::int64_t>(g.moves.size()));
    }

    std::string start_fen() const {
        Position start;
        parse_fen(tags_[TAG_FEN].raw, start);
        return write_fen(start);
    }
};

}  // namespace

void TextColumn::add(std::string_view text) {
    append_utf8(text, data);
    offsets.push_back(static_cast<std::int32_t>(data.size()));
    valid.push_back(1);
}

void TextColumn::add_null() {
    offsets.push_back(offsets.back());
    valid.push_back(0);
}

bool parse_pgn(std::string_view block, std::int64_t base_offset, std::int64_t base_line,
               std::int64_t base_ordinal, ParsedPgn& out) {
    out = ParsedPgn{};
    // Windows-1252 can triple in UTF-8; 3 * 2^29 still fits the columns' 32-bit offsets.
    if (block.size() >= (1U << 29)) return false;
    out.games.moves.reserve(block.size() / 8);
    Parser(block, base_offset, base_line, base_ordinal, out).run();
    return true;
}

Cut safe_cut(std::string_view block) {
    const char* begin = block.data();
    const char* end = begin + block.size();
    for (std::size_t at = block.rfind("[Event"); at != std::string_view::npos && at > 0;
         at = block.rfind("[Event", at - 1)) {
        if (!at_event(begin, begin + at, end)) continue;
        return {at, static_cast<std::int64_t>(std::count(begin, begin + at, '\n'))};
    }
    return {};
}

}  // namespace tabia::chess
