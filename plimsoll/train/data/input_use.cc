#include "plimsoll/train/data/input_use.h"

#include <algorithm>

#include "plimsoll/nn/networks/sequential.h"

namespace plimsoll {
namespace {

using Row = Network::Row;
using Rows = std::vector<Row>;
using Kind = InputUse::Kind;
using Effect = RangeEffect::Kind;

class UseFinder {
 public:
  explicit UseFinder(const Network& network) : network_(network), rows_(network.rows()) {}

  InputUse of_input(size_t input) const {
    if (is_sequence()) return rows_.empty() ? InputUse{} : from(0, {});
    const std::string name = network_.inputs()[input].name;
    const auto row = std::ranges::find(rows_, name, &Row::name);
    return row == rows_.end() ? InputUse{} : after(*row, {});
  }

 private:
  // The layers of other networks without sources may be called in any order, on any part of an
  // input.
  bool is_sequence() const { return dynamic_cast<const SequentialBody*>(&network_) != nullptr; }

  // The use of the input from a row on. `so_far` is the scale before that row.
  InputUse from(size_t place, InputUse so_far) const {
    const Row& row = rows_[place];
    so_far.layer = row.name;
    if (const auto inner = std::dynamic_pointer_cast<Network>(row.layer))
      return composed(so_far, UseFinder(*inner).of_input(0));
    if (row.layer == nullptr) return {.layer = row.name};
    const RangeEffect effect = row.layer->range_effect();
    switch (effect.kind) {
      case Effect::multiplies:
        so_far.kind = Kind::weights;
        return so_far;
      case Effect::looks_up:
        return {.kind = Kind::table, .layer = row.name, .rows = effect.rows};
      case Effect::scales:
        so_far.scale *= effect.scale;
        so_far.offset = so_far.offset * effect.scale + effect.offset;
        return after(row, so_far);
      case Effect::keeps:
        return after(row, so_far);
      case Effect::normalizes:
      case Effect::normalizes_batch:
      case Effect::activates:
      case Effect::other:
        break;
    }
    return {.layer = row.name};
  }

  static InputUse composed(const InputUse& outer, InputUse inner) {
    inner.offset += inner.scale * outer.offset;
    inner.scale *= outer.scale;
    return inner;
  }

  // The rows that read this one: one that multiplies counts most.
  InputUse after(const Row& row, const InputUse& so_far) const {
    InputUse found;
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (!reads(i, row)) continue;
      const InputUse use = from(i, so_far);
      if (found.layer.empty() || use.kind == Kind::weights) found = use;
    }
    return found;
  }

  bool reads(size_t place, const Row& row) const {
    if (is_sequence()) return place > 0 && &rows_[place - 1] == &row;
    return std::ranges::find(rows_[place].sources, row.name) != rows_[place].sources.end();
  }

  const Network& network_;
  Rows rows_;
};

}  // namespace

std::vector<InputUse> input_uses(const Network& network) {
  const UseFinder finder(network);
  std::vector<InputUse> uses;
  for (size_t i = 0; i < network.inputs().size(); ++i) uses.push_back(finder.of_input(i));
  return uses;
}

}  // namespace plimsoll
