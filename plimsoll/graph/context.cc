#include "plimsoll/graph/context.h"

#include <algorithm>

#include "plimsoll/base/threads.h"

namespace plimsoll {

bool TapeRanges::contains(int64_t number) const {
  return std::ranges::any_of(
      ranges, [=](const Range& range) { return number >= range.begin && number < range.end; });
}

Context::Context() {
  static std::atomic<uint64_t> last_id = 0;
  id_ = ++last_id;
  ++alive_;
}

Context::~Context() {
  --alive_;
}

Context& Context::begin_thread() {
  struct Ending {
    ~Ending() {
      if (current_ != nullptr) current_->end_thread();
    }
  };
  // Static objects that record after it is gone make one more context, which is never freed.
  thread_local const Ending ending;
  auto context = std::make_shared<Context>();
  context->self = context;
  current_ = context.get();
  use_thread_count();
  return *current_;
}

void Context::end_thread() {
  while (!parts_.empty()) parts_.pop_back();  // these may record while they go
  current_ = nullptr;
  std::vector<Value> released;
  std::shared_ptr<Context> last;
  const std::lock_guard lock(mutex);  // goes before those two
  const auto is_gone = [](const auto& variable) { return variable.expired(); };
  if (std::ranges::all_of(assigned, is_gone)) released.swap(gates);
  has_thread = false;
  if (node_count == 0) last = std::move(self);
}

size_t Context::next_part_number() {
  static std::atomic<size_t> next = 0;
  return next++;
}

bool Context::has_assignments() {
  const std::lock_guard lock(mutex);
  return !assigned.empty();
}

int64_t Context::pending_op_count() {
  const std::lock_guard lock(mutex);
  return op_count;
}

int64_t Context::live_node_count() {
  const std::lock_guard lock(mutex);
  return node_count;
}

bool Context::is_recording() {
  const std::lock_guard lock(mutex);
  return std::ranges::any_of(tapes, [](const TapeRanges* tape) { return tape->is_recording(); });
}

bool Context::keeps_history(int64_t number) {
  const std::lock_guard lock(mutex);
  return std::ranges::any_of(tapes, [&](const TapeRanges* tape) { return tape->contains(number); });
}

bool Context::keeps_readers_of(int64_t leaf_number) {
  const std::lock_guard lock(mutex);
  return std::ranges::any_of(tapes,
                             [&](const TapeRanges* tape) { return leaf_number < tape->end(); });
}

bool Context::thread_has_ended() {
  const std::lock_guard lock(mutex);
  return !has_thread;
}

}  // namespace plimsoll
