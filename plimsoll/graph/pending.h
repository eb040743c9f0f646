// What is recorded and not yet computed: when it is computed, and which lines of a program hold it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plimsoll/graph/context.h"
#include "plimsoll/graph/tensor.h"
#include "plimsoll/graph/value.h"

namespace plimsoll {

struct VariableState;

// The commits recorded so far, and those until the next evaluation, happen only if `condition`
// holds; else the evaluation throws NotFinite and leaves every variable as it was.
void gate_commit(const Tensor& condition);

// Evaluates what is pending when more than `limit` ops wait, so that a loop that never asks for a
// value does not grow without bound. Called where a step ends (assignments).
void evaluate_if_overgrown(int64_t limit = 20000);

// The value, which this thread may record on afterwards: if another thread recorded it, it is
// computed first.
const Value& recordable(const Value& value);

// Computes every tensor that has a handle and reads the variable's current value, whichever thread
// recorded it. Called before the variable is written outside a recorded step. Defined in engine.
void settle_readers(const VariableState& variable);

// Makes the assignments that the context's thread has recorded. Defined in engine.
void commit_assignments(Context& context);

// Gives a node of another context its value; one that reads a variable gets a copy. Defined in
// engine.
void compute_for_other_thread(const NodePtr& node);

// Computes a tensor that depends on nothing but values, if a step has computed it on its way to
// others before: the next steps need not do that again, and a part of it is then at hand. Defined
// in engine.
void compute_if_steps_repeat_it(const Tensor& tensor);

// Forgets how the values of the context came about, but for what a tape has recorded. The caller
// holds `evaluating`.
void drop_histories(Context& context);

struct LiveTensors {
  std::string file;
  unsigned line = 0;
  int64_t count = 0;
  // Of the values they have. For a tensor that is still to be computed: of the pending values that
  // it needs and that no other handle holds.
  int64_t bytes = 0;
};

// The tensors of this thread that have handles, by the line that made them, most bytes first.
std::vector<LiveTensors> live_tensors();

}  // namespace plimsoll
