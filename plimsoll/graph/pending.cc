#include "plimsoll/graph/pending.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <span>
#include <unordered_set>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"

namespace plimsoll {
namespace {

int64_t bytes_of(const Node& node) {
  int64_t bytes = 0;
  if (!node.has_value()) return bytes;
  for (const StoragePtr& value : node.values) bytes += value->bytes();
  return bytes;
}

bool is_on_tape(std::span<const TapeRanges* const> tapes, int64_t number) {
  return std::ranges::any_of(tapes, [=](const TapeRanges* tape) { return tape->contains(number); });
}

// Values that no handle holds but the graph of what is still to be computed does. Each is counted
// once, for the first that asks.
class Waiting {
 public:
  int64_t bytes_before(const Node& node) {
    int64_t bytes = 0;
    std::vector<const Node*> open = {&node};
    while (!open.empty()) {
      const Node* at = open.back();
      open.pop_back();
      for (const Value& input : at->inputs) {
        const Node* maker = input.node.get();
        if (maker->handles > 0 || !seen_.insert(maker).second) continue;
        bytes += bytes_of(*maker);
        if (maker->is_pending()) open.push_back(maker);
      }
    }
    return bytes;
  }

 private:
  std::unordered_set<const Node*> seen_;
};

}  // namespace

void gate_commit(const Tensor& condition) {
  if (condition.spec() != Spec{DType::boolean, {}})
    throw InvalidArgument("gate_commit: expected a bool scalar, found " +
                          condition.spec().to_string());
  Value gate = recordable(condition.value());
  Context& context = Context::current();
  const std::lock_guard lock(context.mutex);
  context.gates.push_back(std::move(gate));
}

void evaluate_if_overgrown(int64_t limit) {
  if (Context::current().pending_op_count() > limit) evaluate({});
}

const Value& recordable(const Value& value) {
  const Node& node = *value.node;
  if (node.context->is_current() || node.symbolic || node.has_value()) return value;
  compute_for_other_thread(value.node);
  return value;
}

void drop_histories(Context& context) {
  context.has_late_values = false;
  std::vector<NodePtr> evaluated;
  {
    const std::lock_guard lock(context.mutex);
    for (Node* node = context.nodes; node != nullptr; node = node->next)
      if (node->has_value() && (node->op != nullptr || node->variable != nullptr) &&
          !is_on_tape(context.tapes, node->number))
        if (NodePtr held = node->weak_from_this().lock()) evaluated.push_back(std::move(held));
  }
  for (const NodePtr& node : evaluated) node->drop_history();
}

std::vector<LiveTensors> live_tensors() {
  // A line's file is the same pointer wherever one compilation names it; others are joined below.
  std::map<std::pair<const char*, unsigned>, LiveTensors> by_place;
  Waiting waiting;
  Context& context = Context::current();
  std::unique_lock lock(context.mutex);
  for (const Node* node = context.nodes; node != nullptr; node = node->next) {
    const int handles = node->handles.load(std::memory_order_acquire);
    if (handles == 0) continue;
    LiveTensors& line = by_place[{node->where.file, node->where.line}];
    line.count += handles;
    line.bytes += bytes_of(*node);
    if (node->is_pending()) line.bytes += waiting.bytes_before(*node);
  }
  lock.unlock();
  std::map<std::pair<std::string, unsigned>, LiveTensors> by_line;
  for (const auto& [place, line] : by_place) {
    LiveTensors& all = by_line[{place.first, place.second}];
    all = {place.first, place.second, all.count + line.count, all.bytes + line.bytes};
  }
  std::vector<LiveTensors> lines;
  for (auto& [key, line] : by_line) lines.push_back(std::move(line));
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  return lines;
}

}  // namespace plimsoll
