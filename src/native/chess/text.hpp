// Text of unknown encoding to UTF-8.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace tabia::chess {

// Strict UTF-8: no overlong forms, surrogates or code points above U+10FFFF.
bool is_utf8(std::string_view text);

// Appends `text` as UTF-8: as it is when valid, otherwise read as Windows-1252 (Latin-1 with
// letters in place of the C1 controls; its five undefined bytes stay controls, as in HTML).
void append_utf8(std::string_view text, std::vector<char>& out);

}  // namespace tabia::chess
