#include "plimsoll/train/memory/plan_layers.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace plimsoll {
namespace {

using States = std::set<const VariableState*>;

States states_of(const Variables& variables) {
  States states;
  for (const Variable& variable : variables) states.insert(variable.state().get());
  return states;
}

class LayerRows {
 public:
  LayerRows(const Network& network, const Optimizer& optimizer, const StepMemory& step)
      : optimizer_(optimizer), trainable_(states_of(network.trainable_variables())) {
    for (const LayerMemory& layer : step.layers)
      rows_.push_back({.layer = without_root(layer.layer, network.name()),
                       .activation_bytes = layer.value_bytes,
                       .live_at_peak_bytes = layer.live_at_peak,
                       .scratch_bytes = layer.scratch_bytes});
    for (const LayerBody::Child& child : network.children()) add_weights(*child.layer, "");
    sort();
  }

  std::vector<MemoryPlan::Row> take() { return std::move(rows_); }

 private:
  void add_weights(const LayerBody& layer, const std::string& parent) {
    const std::string path = (parent.empty() ? "" : parent + "/") + layer.name();
    order_.emplace(path, order_.size());
    for (const Variable& weight : layer.own_weights()) add_weight(weight, path);
    for (const LayerBody::Child& child : layer.children()) add_weights(*child.layer, path);
  }

  // A layer that is used twice has its weights once.
  void add_weight(const Variable& weight, const std::string& path) {
    if (!seen_.insert(weight.state().get()).second) return;
    MemoryPlan::Row& row = row_of(path);
    const int64_t bytes = weight.spec().bytes();
    row.weight_bytes += bytes;
    if (trainable_.contains(weight.state().get())) row.gradient_bytes += bytes;
    if (optimizer_.defined()) row.optimizer_bytes += optimizer_->state_bytes(weight);
  }

  // The scope of the layer, or the innermost around it.
  MemoryPlan::Row& row_of(const std::string& path) {
    MemoryPlan::Row* best = nullptr;
    for (MemoryPlan::Row& row : rows_) {
      const bool is_around = path == row.layer || path.starts_with(row.layer + "/");
      if (is_around && (best == nullptr || row.layer.size() > best->layer.size())) best = &row;
    }
    if (best != nullptr) return *best;
    return rows_.emplace_back(MemoryPlan::Row{.layer = path});
  }

  // The network's layers as it has them, then what is around them.
  void sort() {
    const auto place = [&](const MemoryPlan::Row& row) {
      const auto found = order_.find(row.layer);
      return found == order_.end() ? order_.size() : found->second;
    };
    std::ranges::stable_sort(rows_, {}, place);
  }

  const Optimizer& optimizer_;
  std::map<std::string, size_t> order_;  // of the layers, by their paths
  States trainable_, seen_;
  std::vector<MemoryPlan::Row> rows_;
};

}  // namespace

std::string without_root(const std::string& path, const std::string& root) {
  return path.starts_with(root + "/") ? path.substr(root.size() + 1) : path;
}

std::vector<MemoryPlan::Row> plan_layers(const Network& network, const Optimizer& optimizer,
                                         const StepMemory& step) {
  return LayerRows(network, optimizer, step).take();
}

}  // namespace plimsoll
