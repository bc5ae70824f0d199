#include "mcts/game_search.hpp"
#include "mcts/xiangqi_state.hpp"
#include "xiangqi/fen.hpp"

namespace tabia::mcts {

std::unique_ptr<Searcher> make_xiangqi(int slots, int history, const Config& config,
                                       const Limits& limits) {
    const auto reader = [limits](const std::string& start, std::string& fault) {
        xiangqi::Position position = xiangqi::START;
        if (!start.empty()) {
            xiangqi::Position read;
            fault = xiangqi::parse_fen(start, read);
            if (fault.empty()) position = read;
        }
        return XiangqiState(position, limits);
    };
    return std::make_unique<GameSearch<XiangqiState>>(slots, history, config, reader);
}

}  // namespace tabia::mcts
