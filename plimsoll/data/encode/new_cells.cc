#include "plimsoll/data/encode/new_cells.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "plimsoll/data/encode/cell_text.h"

namespace plimsoll {
namespace {

class WatchedEncoder final : public CellEncoder {
 public:
  WatchedEncoder(ColumnEncodingPtr encoding, NewCells& cells)
      : encoding_(std::move(encoding)), cells_(cells) {}

  int64_t width() const override { return encoding_->width(); }
  CellState encode(std::string_view cell, std::span<float> into) const override {
    const CellState state = encoding_->encode(cell, into);
    cells_.add(state, encoding_->gaps(), cell);
    return state;
  }
  std::string expected() const override { return encoding_->expected(); }

 private:
  ColumnEncodingPtr encoding_;
  NewCells& cells_;
};

}  // namespace

void NewCells::add(CellState state, Gaps gaps_are, std::string_view cell) {
  constexpr size_t kExamples = 3;
  if (state == CellState::gap && gaps_are == Gaps::fill) ++gaps_;
  if (state != CellState::unseen) return;
  ++unseen_;
  if (examples_.size() == kExamples) return;
  const std::string example = shown_cell(cell);
  if (std::ranges::find(examples_, example) == examples_.end()) examples_.push_back(example);
}

std::string NewCells::text() const {
  std::vector<std::string> parts;
  if (unseen_ > 0)
    parts.push_back(fmt::format(
        "{} that training did not have, as '{}': all numbers of the "
        "column are 0 there",
        unseen_ == 1 ? "a text" : fmt::format("{} texts", unseen_), fmt::join(examples_, "', '")));
  if (gaps_ > 0)
    parts.push_back(fmt::format("{}, of which training had none: {} filled as data.json says",
                                gaps_ == 1 ? "a gap" : fmt::format("{} gaps", gaps_),
                                gaps_ == 1 ? "it is" : "they are"));
  return fmt::format("column '{}' has {}", shown_cell(column_), fmt::join(parts, "; and "));
}

void NewCells::announce(const std::string& path,
                        const std::function<void(const Finding&)>& announce) const {
  if (announce && unseen_ + gaps_ > 0)
    announce({.severity = Finding::Severity::warning, .where = path, .what = text()});
}

std::shared_ptr<const CellEncoder> watched(ColumnEncodingPtr encoding, NewCells& cells) {
  return std::make_shared<WatchedEncoder>(std::move(encoding), cells);
}

}  // namespace plimsoll
