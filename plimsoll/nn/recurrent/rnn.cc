#include "plimsoll/nn/recurrent/rnn.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "plimsoll/graph/scope.h"
#include "plimsoll/nn/keras/layer_config.h"
#include "plimsoll/nn/recurrent/make_recurrent.h"
#include "plimsoll/nn/recurrent/recurrent_fields.h"
#include "plimsoll/ops/movement/strided_slice.h"

namespace plimsoll {
namespace {

class RNNBody final : public RecurrentLayer {
 public:
  explicit RNNBody(const RNNOptions& options)
      : RecurrentLayer(recurrent_flags(options), options.cell.body()), options_(options) {}

  void validate() const {}
  std::string_view class_name() const override { return "RNN"; }
  void config_fields(Fields& fields) const override {
    RNNOptions copy = options_;
    copy.zero_output_for_mask = flags().zero_output_for_mask;
    describe(fields, copy);
  }

 private:
  RNNOptions options_;
};

class StackedBody final : public SequenceCell {
 public:
  explicit StackedBody(const StackedRNNCellsOptions& options) : options_(options) {
    for (const Layer& cell : options.cells)
      cells_.push_back(std::dynamic_pointer_cast<SequenceCell>(cell.body()));
  }

  void validate() const {
    if (cells_.empty()) refuse("expected one cell or more, found none");
    for (size_t i = 0; i < cells_.size(); ++i)
      if (cells_[i] == nullptr)
        refuse(fmt::format("cell {} must be a GRUCell, LSTMCell or SimpleRNNCell", i));
  }
  std::string_view class_name() const override { return "StackedRNNCells"; }
  void config_fields(Fields& fields) const override {
    StackedRNNCellsOptions copy = options_;
    describe(fields, copy);
  }

  // "cells/lstm_cell", "cells/lstm_cell_1": numbered by class, as Keras numbers the items of a
  // list.
  std::vector<Child> children() const override {
    std::vector<Child> children;
    std::map<std::string, int> counts;
    for (const auto& cell : cells_) {
      std::string name = snake_case(cell->class_name());
      const int count = counts[name]++;
      if (count > 0) name += fmt::format("_{}", count);
      children.push_back({"cells/" + name, cell});
    }
    return children;
  }

  std::vector<int64_t> state_sizes() const override {
    std::vector<int64_t> sizes;
    for (const auto& cell : cells_)
      for (const int64_t size : cell->state_sizes()) sizes.push_back(size);
    return sizes;
  }

  void build(const Specs& inputs) override {
    Tensor x = placeholder(inputs[0]);
    for (const auto& cell : cells_) x = (*cell)({x}, {})[0];
  }

  // A whole sequence goes through one cell after another: a step of the next needs no later step of
  // the one before.
  RecurrentResult run(const Tensor& x, const SequenceCall& call) override {
    const Scope scope(name());
    RecurrentResult all = {x, {}};
    SequenceCall one = call;
    auto state = call.initial_state.begin();
    for (const auto& cell : cells_) {
      const bool last = cell == cells_.back();
      one.return_sequences = !last || call.return_sequences;
      one.initial_state.clear();
      if (!call.initial_state.empty()) {
        const auto end = state + static_cast<ptrdiff_t>(cell->state_sizes().size());
        one.initial_state.assign(state, end);
        state = end;
      }
      const RecurrentResult result = cell->run(all.output, one);
      all.output = result.output;
      all.state.insert(all.state.end(), result.state.begin(), result.state.end());
      // Its outputs come in the order in which they were computed.
      if (one.go_backwards && one.mask.defined()) one.mask = flip(one.mask, {1});
      one.go_backwards = false;
    }
    return all;
  }

 private:
  StackedRNNCellsOptions options_;
  std::vector<std::shared_ptr<SequenceCell>> cells_;
};

}  // namespace

void describe(Fields& fields, RNNOptions& options) {
  describe_flags(fields, options);
  fields.with("cell", options.cell);
}

void describe(Fields& fields, StackedRNNCellsOptions& options) {
  if (!fields.reading()) {
    Json cells = Json::array();
    for (const Layer& cell : options.cells) cells.push_back(layer_to_json(*cell));
    return fields.write("cells", std::move(cells));
  }
  const Json* found = fields.find("cells");
  if (found == nullptr || !found->is_array()) fields.refuse("expected a list of cells");
  for (const Json& cell : *found) options.cells.push_back(layer_from_json(cell));
}

RNN::RNN(const RNNOptions& options)
    : Layer(named_and_checked(std::make_shared<RNNBody>(options), options)) {}

StackedRNNCells::StackedRNNCells(const StackedRNNCellsOptions& options)
    : Layer(named_and_checked(std::make_shared<StackedBody>(options), options)) {}

}  // namespace plimsoll
