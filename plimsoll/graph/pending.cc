#include "plimsoll/graph/pending.h"

#include <algorithm>
#include <map>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"

namespace plimsoll {

PendingWork& pending_work() {
  // Never destroyed: nodes held by static objects still unlink themselves after thread exit began.
  thread_local auto* work = new PendingWork;
  return *work;
}

void gate_commit(const Tensor& condition) {
  if (condition.spec() != Spec{DType::boolean, {}})
    throw InvalidArgument("gate_commit: expected a bool scalar, found " +
                          condition.spec().to_string());
  pending_work().gates.push_back(condition.value());
}

void evaluate_if_overgrown(int64_t limit) {
  if (pending_work().op_count > limit) evaluate({});
}

std::vector<LiveTensors> live_tensors() {
  std::map<std::pair<std::string, unsigned>, LiveTensors> by_line;
  for (const Node* node = pending_work().nodes; node != nullptr; node = node->next) {
    if (node->handles == 0) continue;
    LiveTensors& line = by_line[{node->where.file_name(), node->where.line()}];
    line.count += node->handles;
    for (const StoragePtr& value : node->values) line.bytes += value->bytes();
  }
  std::vector<LiveTensors> lines;
  for (auto& [key, line] : by_line) {
    line.file = key.first;
    line.line = key.second;
    lines.push_back(std::move(line));
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  return lines;
}

}  // namespace plimsoll
