#include "chess/fen.hpp"
#include "mcts/chess_state.hpp"
#include "mcts/game_search.hpp"

namespace tabia::mcts {

std::unique_ptr<Searcher> make_chess(int slots, int history, const Config& config,
                                     const Limits& limits) {
    const auto reader = [limits](const std::string& start, std::string& fault) {
        chess::Position position = chess::START;
        if (!start.empty()) {
            chess::Position read;
            fault = chess::parse_fen(start, read);
            if (fault.empty() && chess::needs_chess960(read))
                fault = "castling rights that need Chess960 are not searched";
            if (fault.empty()) position = read;
        }
        return ChessState(position, limits);
    };
    return std::make_unique<GameSearch<ChessState>>(slots, history, config, reader);
}

}  // namespace tabia::mcts
