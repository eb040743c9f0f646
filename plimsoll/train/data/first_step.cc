#include "plimsoll/train/data/first_step.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "plimsoll/nn/keras/layer_config.h"

namespace plimsoll {
namespace {

using Row = Network::Row;
using Rows = std::vector<Row>;
using Kind = FirstStep::Kind;

bool begins_with_any(const std::string& kind, std::span<const std::string_view> beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view b) { return kind.starts_with(b); });
}

// What goes through these stays in its range.
bool keeps_range(const std::string& kind) {
  static constexpr std::array<std::string_view, 20> kKinds = {
      "InputLayer",    "Flatten",    "Reshape",     "Permute",     "RepeatVector",
      "Resizing",      "CenterCrop", "Random",      "ZeroPadding", "Cropping",
      "MaxPooling",    "Average",    "UpSampling",  "Dropout",     "SpatialDropout",
      "GaussianNoise", "Masking",    "Concatenate", "GlobalMax",   "GlobalAverage"};
  return begins_with_any(kind, kKinds);
}

bool multiplies(const std::string& kind) {
  static constexpr std::array<std::string_view, 11> kKinds = {
      "Dense",     "Conv",          "SeparableConv", "DepthwiseConv",     "LSTM", "GRU", "RNN",
      "SimpleRNN", "Bidirectional", "EinsumDense",   "MultiHeadAttention"};
  return begins_with_any(kind, kKinds);
}

class StepFinder {
 public:
  explicit StepFinder(const Network& network) : network_(network), rows_(network.rows()) {}

  FirstStep of_input(size_t input) const {
    if (!has_sources()) return rows_.empty() ? FirstStep{} : from(0, {});
    const std::string name = network_.inputs()[input].name;
    const auto row = std::ranges::find(rows_, name, &Row::name);
    return row == rows_.end() ? FirstStep{} : behind(*row, {});
  }

 private:
  bool has_sources() const {
    return std::ranges::any_of(rows_, [](const Row& row) { return !row.sources.empty(); });
  }

  // What comes of it at and behind a row. `so_far` is the scale before.
  FirstStep from(size_t place, FirstStep so_far) const {
    const Row& row = rows_[place];
    so_far.layer = row.name;
    if (const auto inner = std::dynamic_pointer_cast<Network>(row.layer))
      return composed(so_far, StepFinder(*inner).of_input(0));
    if (multiplies(row.kind)) {
      so_far.kind = Kind::weights;
      return so_far;
    }
    if (row.kind == "Embedding") {
      const Json json = layer_to_json(*row.layer);
      return {.kind = Kind::table,
              .layer = row.name,
              .rows = json["config"]["input_dim"].get<int64_t>()};
    }
    if (row.kind == "Rescaling") return rescaled(row, so_far);
    return keeps_range(row.kind) ? behind(row, so_far) : FirstStep{.layer = row.name};
  }

  static FirstStep composed(const FirstStep& outer, FirstStep inner) {
    inner.offset += inner.scale * outer.offset;
    inner.scale *= outer.scale;
    return inner;
  }

  FirstStep rescaled(const Row& row, FirstStep so_far) const {
    const Json config = layer_to_json(*row.layer)["config"];
    if (!config["scale"].is_number() || !config["offset"].is_number()) return {.layer = row.name};
    const auto scale = config["scale"].get<double>();
    so_far.scale *= scale;
    so_far.offset = so_far.offset * scale + config["offset"].get<double>();
    return behind(row, so_far);
  }

  // The rows that read this one: one that multiplies counts most.
  FirstStep behind(const Row& row, const FirstStep& so_far) const {
    FirstStep found;
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (!reads(i, row)) continue;
      const FirstStep step = from(i, so_far);
      if (found.layer.empty() || step.kind == Kind::weights) found = step;
    }
    return found;
  }

  bool reads(size_t place, const Row& row) const {
    if (!has_sources()) return place > 0 && &rows_[place - 1] == &row;
    return std::ranges::find(rows_[place].sources, row.name) != rows_[place].sources.end();
  }

  const Network& network_;
  Rows rows_;
};

}  // namespace

std::vector<FirstStep> first_steps(const Network& network) {
  const StepFinder finder(network);
  std::vector<FirstStep> steps;
  for (size_t i = 0; i < network.inputs().size(); ++i) steps.push_back(finder.of_input(i));
  return steps;
}

}  // namespace plimsoll
