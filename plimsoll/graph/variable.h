// Variable: state that outlives a step (a weight, an optimizer slot, a counter). Assigning is
// recorded like any op and takes effect when the step that computes the new value commits. Threads
// may hand a variable on to each other; they do not write and use it at the same time.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "plimsoll/graph/tensor.h"
#include "plimsoll/graph/variable_state.h"

namespace plimsoll {

class Variable {
 public:
  Variable() = default;
  // Zero-filled.
  Variable(std::string name, const Spec& spec, bool trainable = true);

  bool defined() const { return state_ != nullptr; }
  const std::string& name() const { return state_->name; }
  const Spec& spec() const { return state_->spec; }
  const Shape& shape() const { return state_->spec.shape; }
  bool trainable() const { return state_->trainable; }
  void set_trainable(bool trainable) { state_->trainable = trainable; }

  // The current value, pending assignments included.
  Tensor value(Place where = Place::here()) const;
  // Takes effect at the next commit; specs must agree.
  void assign(const Tensor& value);
  // Writes now, outside any graph; pending assignments are evaluated first.
  void set_bytes(std::span<const std::byte> bytes);
  void set(std::span<const float> values);
  // The same in place: `write` fills the bytes it is given. Where it throws, they stay as it left
  // them.
  void fill(const std::function<void(std::span<std::byte>)>& write);

  std::byte* data() const;  // after evaluating what is pending
  const std::shared_ptr<VariableState>& state() const { return state_; }
  bool operator==(const Variable&) const = default;

 private:
  // Commits an assignment that is pending, in whichever context.
  void commit_pending() const;

  std::shared_ptr<VariableState> state_;
};

using Variables = std::vector<Variable>;

}  // namespace plimsoll
