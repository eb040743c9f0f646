// Context: what one thread records, and what is kept for it from step to step. Every thread has its
// own, made at first use; it lives as long as its thread or any node that was recorded in it.
//
// Tensors may be used and freed on any thread, by these rules:
// - A node stays in the context that recorded it. A thread records only in its own context, and
//   only on values that are its own or computed: see recordable() in pending.h.
// - `mutex` guards the lists below and is held for moments. A node that is freed on another thread
//   takes itself off the list under it.
// - `evaluating` is held while nodes of the context are given values, by whichever thread. A thread
//   that waits for it holds that of no other context.
// - A node's history (its op, inputs and variable) is dropped by the context's own thread alone, or
//   by the holder of `evaluating` once that thread has ended. Another thread that computes a value
//   sets `has_late_values` instead, and the own thread drops the history later.
// - Assignments that a thread has not made when it ends are made when the variable is asked for.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/graph/interned.h"
#include "plimsoll/graph/place.h"
#include "plimsoll/graph/value.h"

namespace plimsoll {

class LaterInitialValues;
struct VariableState;

// What one GradientTape has recorded: the nodes whose numbers are in its ranges.
struct TapeRanges {
  static constexpr int64_t kOpen = std::numeric_limits<int64_t>::max();
  struct Range {
    int64_t begin, end;  // end: kOpen while the tape records
  };

  bool is_recording() const { return !ranges.empty() && ranges.back().end == kOpen; }
  int64_t end() const { return ranges.empty() ? 0 : ranges.back().end; }
  bool contains(int64_t number) const;

  std::vector<Range> ranges;  // in their order
};

class Context : public std::enable_shared_from_this<Context> {
 public:
  // This thread's.
  static Context& current() { return current_ != nullptr ? *current_ : begin_thread(); }
  bool is_current() const { return this == current_; }
  // True while this is the only context of the process, so that nothing can be shared.
  static bool is_only() { return alive_.load(std::memory_order_relaxed) == 1; }

  Context();
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // The context's only T, made when it is first asked for and destroyed when the thread ends. By
  // this the folders above this one keep what belongs to a thread. Only the own thread may call it.
  template <class T>
  T& part();

  // Unique in the process.
  uint64_t id() const { return id_; }
  bool has_assignments();
  int64_t pending_op_count();
  int64_t live_node_count();
  bool thread_has_ended();

  // True while a tape records.
  bool is_recording();
  // True if a tape may still be asked for gradients through the node of this number.
  bool keeps_history(int64_t number);
  // True if a tape may have recorded a reader of the leaf of this number.
  bool keeps_readers_of(int64_t leaf_number);

  // What is open on the own thread's stack.
  struct Open {
    const std::string* path = interned("");  // of the Scopes
    const Place* gradient_of = nullptr;      // the line of the node whose gradient is recorded
    std::string_view gradient_op = {};       // and its operation
    const Place* call_site = nullptr;        // of the outermost CallSite
    int without_initial_values = 0;
    LaterInitialValues* later_initial_values = nullptr;  // the innermost
  } open;

  std::recursive_mutex evaluating;
  std::atomic<bool> has_late_values = false;

  std::mutex mutex;       // guards all that follows
  Node* nodes = nullptr;  // every live node, newest first: an intrusive list
  int64_t node_count = 0;
  int64_t last_number = 0;                             // of the nodes that were recorded
  int64_t op_count = 0;                                // nodes that are ops without a value
  std::vector<std::weak_ptr<VariableState>> assigned;  // the next commit writes these
  std::vector<const TapeRanges*> tapes;                // of which gradients may still be asked
  std::vector<Value> gates;  // bool scalars; the commit happens only if all hold
  // Keeps the context until its thread has ended and its last node is gone. Whoever finds both true
  // takes it, and lets it go after unlocking.
  std::shared_ptr<Context> self;
  bool has_thread = true;

 private:
  static Context& begin_thread();
  static size_t next_part_number();
  void end_thread();

  static inline constinit thread_local Context* current_ = nullptr;
  static inline std::atomic<int> alive_ = 0;

  uint64_t id_;
  std::vector<std::shared_ptr<void>> parts_;  // by the number of their type
};

template <class T>
T& Context::part() {
  static const size_t number = next_part_number();
  if (number >= parts_.size()) parts_.resize(number + 1);
  if (parts_[number] == nullptr) {
    auto made = std::make_shared<T>();  // this may make other parts
    parts_[number] = std::move(made);
  }
  return *static_cast<T*>(parts_[number].get());
}

}  // namespace plimsoll
