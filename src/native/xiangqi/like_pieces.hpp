// Like pieces by file, as notations number them: files from the mover's right, front first.
#pragma once

#include "xiangqi/notation.hpp"

namespace tabia::xiangqi {

// Files 1 to 9 from the mover's right, ranks 0 to 9 from his side.
inline int relative_file(int color, int square) {
    return color == RED ? FILES - file_of(square) : file_of(square) + 1;
}
inline int relative_rank(int color, int square) {
    return color == RED ? rank_of(square) : RANKS - 1 - rank_of(square);
}
inline int square_from(int color, int file, int rank) {
    return color == RED ? square_at(FILES - file, rank) : square_at(file - 1, RANKS - 1 - rank);
}

constexpr int MAX_LIKE = 5;  // pawns; `position_fault` allows no more of a kind

// Like pieces on one file, front first.
struct Group {
    int file = 0;
    int size = 0;
    int squares[MAX_LIKE];
};

// The files that hold pieces of a kind, from the mover's right.
struct Groups {
    Group groups[MAX_LIKE];
    int size = 0;
    int shared = 0;  // files with more than one

    Groups(const Position& p, int type) {
        int squares[MAX_LIKE], n = 0;
        for (Bitboard b = p.pieces(p.side, type); b && n < MAX_LIKE;) squares[n++] = pop_lowest(b);
        for (int file = 1; file <= FILES && n; ++file) {
            Group group;
            group.file = file;
            // Squares ascend with Red's ranks: for Red the front one comes last.
            for (int i = 0; i < n; ++i) {
                const int square = squares[p.side == RED ? n - 1 - i : i];
                if (relative_file(p.side, square) == file) group.squares[group.size++] = square;
            }
            if (!group.size) continue;
            groups[size++] = group;
            shared += group.size > 1;
        }
    }
    const Group* begin() const { return groups; }
    const Group* end() const { return groups + size; }
};

}  // namespace tabia::xiangqi
