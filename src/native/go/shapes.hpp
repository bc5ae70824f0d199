// Small shapes of connected points.
#pragma once

#include <cstdlib>

namespace tabia::go {

// Whether connected points of this number, all inside one eye, hold one eye only if the other side
// plays first there: up to three points, the square and the T of four, the bulky five and the cross,
// the rabbity six. Cells and stride are a Board's.
template <typename Cell>
bool is_one_eye_shape(const Cell* cells, int n, int stride) {
    if (n <= 3) return true;
    if (n > 6) return false;
    int edges = 0, widest = 0;
    for (int i = 0; i < n; ++i) {
        int beside = 0;
        for (int j = 0; j < n; ++j) {
            const int distance = std::abs(int{cells[i]} - int{cells[j]});
            beside += distance == 1 || distance == stride;
        }
        edges += beside;
        if (beside > widest) widest = beside;
    }
    edges /= 2;
    if (n == 4) return edges == 4 || widest == 3;
    if (n == 5) return edges == 5 || widest == 4;
    return edges == 6 && widest == 4;
}

}  // namespace tabia::go
