#include "plimsoll/graph/sample_mixing.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/graph/traverse.h"

namespace plimsoll {
namespace {

// How a value depends on the samples, where it is not along an axis.
enum : int {
  kApart = -1,   // not at all
  kSummed = -2,  // a sum over them
  kMixed = -3,
};

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

// The axis that the samples lie along: the only one with a place for each.
int axis_of(const Shape& shape) {
  int found = kApart;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] == 0 || shape[axis] % kProbeBatch != 0) continue;
    if (found != kApart) return kMixed;
    found = axis;
  }
  return found;
}

// Data that has a row for each sample may be cut only if all rows are alike.
bool rows_differ(const Node& leaf, int axis) {
  const Shape& shape = leaf.spec(0).shape;
  const int64_t row = leaf.spec(0).bytes() / shape.elements(0, axis + 1);
  const std::byte* data = leaf.values[0]->data();
  for (int64_t i = 1; i < shape.elements(0, axis + 1); ++i)
    if (std::memcmp(data, data + i * row, static_cast<size_t>(row)) != 0) return true;
  return false;
}

class Walk {
 public:
  explicit Walk(BatchStatistics statistics) : statistics_(statistics) {}

  void visit(const Node& node) {
    std::vector<int>& found = states_[&node];
    for (const Spec& spec : node.specs) found.push_back(axis_of(spec.shape));
    if (node.op == nullptr || node.has_value()) {
      if (node.has_value() && found[0] >= 0 && rows_differ(node, found[0])) found[0] = kMixed;
      if (found[0] == kMixed) blame_[&node] = &node;
      return;
    }
    follow(node, found);
  }

  int state(const Value& value) const {
    return states_.at(value.node.get())[static_cast<size_t>(value.output)];
  }
  const Node* culprit(const Value& value) const { return blame_.at(value.node.get()); }

 private:
  void follow(const Node& node, std::vector<int>& found) {
    SampleAxes axes{
        .in = {}, .out = node.specs, .in_axes = {}, .out_axes = found, .samples = kProbeBatch};
    Specs in;
    for (const Value& input : node.inputs) {
      in.push_back(input.node->spec(input.output));
      axes.in_axes.push_back(state(input));
      if (axes.in_axes.back() == kMixed) blame_.try_emplace(&node, culprit(input));
    }
    axes.in = in;
    if (blame_.contains(&node)) {
      std::ranges::fill(found, kMixed);
      return;
    }
    const bool takes_samples =
        std::ranges::any_of(axes.in_axes, [](int axis) { return axis != kApart; });
    if (!takes_samples && std::ranges::all_of(found, [](int axis) { return axis == kApart; }))
      return;
    if (std::ranges::find(axes.in_axes, kSummed) != axes.in_axes.end())
      std::ranges::fill(found, stays_a_sum(node, axes.in_axes) ? kSummed : kMixed);
    else if (found[0] == kApart)
      found[0] = node.op->name() == "sum" ? kSummed : kMixed;
    else if (found[0] >= 0 && !keeps_apart(node, axes))
      found[0] = kMixed;
    // Another output mixes the samples unless it has an axis that counts them, as the first has.
    for (size_t i = 1; i < found.size(); ++i)
      if (found[i] < 0 || found[0] == kMixed) found[i] = kMixed;
    if (std::ranges::find(found, kMixed) != found.end()) blame_[&node] = &node;
  }

  bool keeps_apart(const Node& node, const SampleAxes& axes) const {
    if (statistics_ == BatchStatistics::per_part && node.op->name() == "batch_normalize")
      return true;
    return node.op->keeps_samples_apart(axes);
  }

  // Sums may be added, and multiplied by what depends on no sample.
  static bool stays_a_sum(const Node& node, const std::vector<int>& axes) {
    static constexpr std::array<std::string_view, 5> kAdditive = {"add", "subtract", "negative",
                                                                  "reshape", "stop_gradient"};
    static constexpr std::array<std::string_view, 1> kScaling = {"multiply"};
    const auto sums = std::ranges::count(axes, static_cast<int>(kSummed));
    if (std::cmp_equal(sums, axes.size())) return is_one_of(node.op->name(), kAdditive);
    if (sums != 1 || std::ranges::count(axes, static_cast<int>(kApart)) != 1) return false;
    return is_one_of(node.op->name(), kScaling) ||
           (node.op->name() == "divide" && axes[0] == kSummed);
  }

  BatchStatistics statistics_;
  std::unordered_map<const Node*, std::vector<int>> states_;
  std::unordered_map<const Node*, const Node*> blame_;  // of a mixed value: what mixed it first
};

}  // namespace

std::optional<SampleMixing> find_mixing(std::span<const Tensor> sums, BatchStatistics statistics) {
  std::vector<Value> roots;
  for (const Tensor& sum : sums) roots.push_back(sum.value());
  Walk walk(statistics);
  for (const NodePtr& node : topological_order(roots, Follow::pending)) walk.visit(*node);
  for (const Value& root : roots) {
    const int state = walk.state(root);
    if (state == kSummed) continue;
    const Node& at = state == kMixed ? *walk.culprit(root) : *root.node;
    return SampleMixing{*at.scope, std::string(at.op ? at.op->name() : "a constant")};
  }
  return std::nullopt;
}

}  // namespace plimsoll
