#include "plimsoll/cli/encoding_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plimsoll/data/encode/cell_text.h"
#include "plimsoll/data/encode/column_encoding.h"

namespace plimsoll::cli {
namespace {

using Names = std::vector<std::string>;

bool is_target(const EncodedColumn& column, const Names& targets) {
  return std::ranges::find(targets, column.name) != targets.end();
}

// Of the inputs.
int64_t total_width(const TableEncoding& encoding, const Names& targets) {
  int64_t width = 0;
  for (const EncodedColumn& column : encoding.columns)
    if (column.encoding != nullptr && !is_target(column, targets))
      width += column.encoding->width();
  return width;
}

}  // namespace

void print_encoding(const TableEncoding& encoding, const Names& targets) {
  fmt::print("\n{:<18} {:>9}\n", "column", "numbers");
  for (const EncodedColumn& column : encoding.columns) {
    const std::string name = shown_cell(column.name);
    if (column.encoding == nullptr)
      fmt::print("{:<18} {:>9}  left out: {}\n", name, 0, shown_cell(column.why, 200));
    else
      fmt::print("{:<18} {:>9}  {}{}\n", name, column.encoding->width(),
                 is_target(column, targets) ? "target: " : "", column.encoding->description());
  }
  fmt::print("{:<18} {:>9}  for the inputs in all\n", "", total_width(encoding, targets));
}

nlohmann::ordered_json encoding_json(const TableEncoding& encoding, const Names& targets) {
  nlohmann::ordered_json columns = nlohmann::ordered_json::parse(encoding.to_json());
  for (const EncodedColumn& column : encoding.columns)
    columns[column.name]["numbers"] = column.encoding == nullptr ? 0 : column.encoding->width();
  return {{"numbers", total_width(encoding, targets)}, {"columns", columns}};
}

}  // namespace plimsoll::cli
