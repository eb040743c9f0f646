// What this thread has recorded and not yet computed. A thread records and evaluates its own graph;
// a tensor may cross to another thread once it has a value.
#pragma once

#include <memory>
#include <vector>

#include "plimsoll/graph/tensor.h"
#include "plimsoll/graph/variable.h"

namespace plimsoll {

struct PendingWork {
  Node* nodes = nullptr;  // every node of this thread, an intrusive list
  int64_t op_count = 0;   // those of them that are ops without a value
  int open_tapes = 0;
  std::vector<std::shared_ptr<VariableState>> assigned;  // the next commit writes these
  std::vector<Value> gates;  // bool scalars; the commit happens only if all hold
};

PendingWork& pending_work();

// The commits recorded so far, and those until the next evaluation, happen only if `condition`
// holds; else the evaluation throws NotFinite and leaves every variable as it was.
void gate_commit(const Tensor& condition);

// Evaluates what is pending when more than `limit` ops wait, so that a loop that never asks for a
// value does not grow without bound. Called where a step ends (assignments).
void evaluate_if_overgrown(int64_t limit = 20000);

// Computes every tensor that somebody holds and that reads the variable's current value. Called
// before the variable is written outside a recorded step. Defined in engine.
void settle_readers(const VariableState& variable);

struct LiveTensors {
  std::string file;
  unsigned line = 0;
  int64_t count = 0;
  // Of the values they have; where they are still to be computed, of the values that wait for that
  // and that nobody else holds.
  int64_t bytes = 0;
};

// The tensors that somebody holds on this thread, by the line that made them, most bytes first.
std::vector<LiveTensors> live_tensors();

}  // namespace plimsoll
