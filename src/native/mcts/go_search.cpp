#include "go/text.hpp"
#include "mcts/game_search.hpp"
#include "mcts/go_state.hpp"

namespace tabia::mcts {

std::unique_ptr<Searcher> make_go(int slots, int history, const Config& config,
                                  const Limits& limits, int size, const go::Rules& rules) {
    const auto reader = [limits, size, rules](const std::string& start, std::string& fault) {
        go::Position position(size, rules);
        if (!start.empty()) {
            go::Board board(size);
            int passes = 0;
            fault = go::parse_text(start, board, passes);
            if (fault.empty() && board.size() != size)
                fault = "a board of size " + std::to_string(board.size()) + ", not " +
                        std::to_string(size);
            if (fault.empty()) position = go::Position(board, passes, rules);
        }
        return GoState(position, limits);
    };
    return std::make_unique<GameSearch<GoState>>(slots, history, config, reader);
}

}  // namespace tabia::mcts
