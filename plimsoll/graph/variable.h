// Variable: state that outlives a step (a weight, an optimizer slot, a counter). Assigning is
// recorded like any op and takes effect when the step that computes the new value commits.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "plimsoll/graph/tensor.h"

namespace plimsoll {

struct VariableState {
  VariableState(std::string name_in, const Spec& spec_in);

  std::string name;
  Spec spec;
  Storage storage;      // row-major; never moves
  uint64_t id = 0;      // unique in the process
  int64_t version = 0;  // counts commits
  bool trainable = true;
  // What it holds matters to nobody before the step is done that writes it anew, so a step need not
  // wait for its gates to write it.
  bool is_scratch = false;
  std::function<Tensor(const Tensor&)> constraint;  // what training puts new values through, if any
  Value pending;                                    // the value that the next commit writes, if any
  std::weak_ptr<Node> leaf;                         // the node that reads the current version
};

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
  std::shared_ptr<VariableState> state_;
};

using Variables = std::vector<Variable>;

}  // namespace plimsoll
