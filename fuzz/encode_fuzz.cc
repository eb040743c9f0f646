// Any bytes are the settings of columns, or a CorruptFile; any lines are the cells of a column,
// whose encoding is the same after it was saved.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "plimsoll/base/error.h"
#include "plimsoll/data/encode/column_encoding.h"
#include "plimsoll/data/encode/learn_encoding.h"

namespace {

using Cells = std::vector<std::string_view>;

std::vector<float> encoded(const plimsoll::ColumnEncoding& encoding, std::string_view cell) {
  std::vector<float> numbers(static_cast<size_t>(encoding.width()));
  if (encoding.encode(cell, numbers) == plimsoll::CellState::bad) return {};
  for (const float number : numbers)
    if (!std::isfinite(number)) __builtin_trap();
  encoding.decode(numbers);
  return numbers;
}

void read_settings(std::string_view text, const Cells& cells) {
  const auto table = plimsoll::TableEncoding::from_json(text, "fuzz");
  for (const auto& column : table.columns)
    if (column.encoding != nullptr && column.encoding->width() < 1000)
      for (const std::string_view cell : cells) encoded(*column.encoding, cell);
}

void learn(const Cells& cells) {
  const plimsoll::LearnTable request{.path = "fuzz", .inputs = {"x"}, .targets = {}};
  const auto table = plimsoll::learn_encoding(request, [&](const plimsoll::VisitCells& visit) {
    for (const std::string_view& cell : cells) visit({&cell, 1});
  });
  const auto again = plimsoll::TableEncoding::from_json(table.to_json(), "again");
  if (again.to_json() != table.to_json()) __builtin_trap();
  if (table.columns[0].encoding == nullptr) return;
  for (const std::string_view cell : cells)
    if (encoded(*table.columns[0].encoding, cell) != encoded(*again.columns[0].encoding, cell))
      __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Cells cells;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    cells.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  try {
    learn(cells);
    read_settings(text, cells);
  } catch (const plimsoll::CorruptFile&) {
  }
  return 0;
}
