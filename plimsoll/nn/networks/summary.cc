#include "plimsoll/nn/networks/summary.h"

#include <algorithm>

#include "plimsoll/base/bytes.h"

namespace plimsoll {
namespace {

using Cells = std::vector<std::string>;

constexpr size_t kGap = 3;  // spaces between columns

// "1,234,567"
std::string with_commas(int64_t number) {
  std::string text = std::to_string(number);
  for (auto place = static_cast<int64_t>(text.size()) - 3; place > 0; place -= 3)
    text.insert(static_cast<size_t>(place), ",");
  return text;
}

int64_t count(const Variables& variables) {
  int64_t elements = 0;
  for (const Variable& variable : variables) elements += variable.shape().elements();
  return elements;
}

int64_t bytes(const Variables& variables) {
  int64_t total = 0;
  for (const Variable& variable : variables) total += variable.spec().bytes();
  return total;
}

std::string shape_cell(const std::vector<Shape>& shapes) {
  if (shapes.empty()) return "?";
  if (shapes.size() == 1) return display(shapes[0]);
  std::string text;
  for (const Shape& shape : shapes) text += (text.empty() ? "" : ", ") + display(shape);
  return "[" + text + "]";
}

std::string parameter_cell(const LayerBody* layer) {
  if (layer == nullptr) return "0";
  return layer->built() ? with_commas(count(layer->weights())) : "0 (unbuilt)";
}

// True if any layer reads something other than the layer on the line above.
bool branches(const std::vector<Network::Row>& rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::vector<std::string>& sources = rows[i].sources;
    if (sources.size() > 1 || (sources.size() == 1 && (i == 0 || sources[0] != rows[i - 1].name)))
      return true;
  }
  return false;
}

std::vector<Cells> table_of(const std::vector<Network::Row>& rows) {
  const bool connections = branches(rows);
  std::vector<Cells> table = {{"Layer (type)", "Output Shape", "Param #"}};
  if (connections) table[0].push_back("Connected to");
  for (const Network::Row& row : rows) {
    table.push_back({row.name + " (" + row.kind + ")", shape_cell(row.outputs),
                     parameter_cell(row.layer.get())});
    if (!connections) continue;
    std::string sources;
    for (const std::string& source : row.sources) sources += (sources.empty() ? "" : ", ") + source;
    table.back().push_back(sources.empty() ? "-" : sources);
  }
  return table;
}

// Column 2, the numbers, is aligned to the right.
std::string line_of(const Cells& cells, const std::vector<size_t>& widths) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    const std::string space(widths[i] - cells[i].size(), ' ');
    line +=
        (i == 0 ? " " : std::string(kGap, ' ')) + (i == 2 ? space + cells[i] : cells[i] + space);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string total_line(const std::string& what, int64_t elements, int64_t size) {
  return " " + what + " params: " + with_commas(elements) + " (" + format_bytes(size) + ")\n";
}

}  // namespace

std::string summary(const Network& network, const Variables& optimizer) {
  const std::vector<Cells> table = table_of(network.rows());
  std::vector<size_t> widths(table[0].size(), 0);
  for (const Cells& cells : table)
    for (size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
  size_t width = 2 + kGap * (widths.size() - 1);
  for (const size_t column : widths) width += column;
  const std::string rule = std::string(width, '-') + "\n";

  std::string text =
      "Model: \"" + network.name() + "\"\n" + rule + line_of(table[0], widths) + rule;
  for (size_t i = 1; i < table.size(); ++i) text += line_of(table[i], widths);
  const Variables trainable = network.trainable_variables();
  const Variables fixed = network.non_trainable_variables();
  text += rule;
  text += total_line("Total", count(trainable) + count(fixed) + count(optimizer),
                     bytes(trainable) + bytes(fixed) + bytes(optimizer));
  text += total_line("Trainable", count(trainable), bytes(trainable));
  text += total_line("Non-trainable", count(fixed), bytes(fixed));
  if (!optimizer.empty()) text += total_line("Optimizer", count(optimizer), bytes(optimizer));
  return text;
}

}  // namespace plimsoll
