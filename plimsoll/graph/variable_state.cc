#include "plimsoll/graph/variable_state.h"

#include <atomic>
#include <utility>

#include "plimsoll/graph/initial_values.h"

namespace plimsoll {
namespace {

uint64_t next_id() {
  static std::atomic<uint64_t> last = 0;
  return ++last;
}

}  // namespace

VariableState::VariableState(std::string name_in, const Spec& spec_in)
    : name(std::move(name_in)),
      spec(spec_in),
      storage(spec_in.bytes(), Storage::Pages::own),
      id(next_id()) {
  if (!WithoutInitialValues::is_open()) storage.touch();
}

std::vector<NodePtr> VariableState::live_leaves() const {
  std::vector<NodePtr> live;
  const std::lock_guard lock(mutex);
  for (const std::weak_ptr<Node>& leaf : leaves)
    if (NodePtr found = leaf.lock()) live.push_back(std::move(found));
  return live;
}

}  // namespace plimsoll
