// Node: one recorded operation, or a leaf (data, a variable, a placeholder). A node that has been
// evaluated becomes a leaf with data; its history is dropped unless a GradientTape has recorded it.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "plimsoll/graph/context.h"
#include "plimsoll/graph/place.h"
#include "plimsoll/graph/value.h"
#include "plimsoll/tensor/spec.h"
#include "plimsoll/tensor/storage.h"

namespace plimsoll {

class Op;
class Tensor;
struct VariableState;

class Node : public std::enable_shared_from_this<Node> {
 public:
  // In this thread's context.
  Node(std::shared_ptr<const Op> op, std::vector<Value> inputs, Specs specs, Place where);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // Defined with Tensor.
  Tensor input(int i) const;
  Tensor output(int i) const;
  const Spec& spec(int output) const { return specs[static_cast<size_t>(output)]; }

  // Once true it stays true, and `values` stay as they are: any thread may read them.
  bool has_value() const { return is_evaluated_.load(std::memory_order_acquire); }
  // An op that has still to run.
  bool is_pending() const { return !has_value() && op != nullptr; }
  // True if this thread may follow `op` and `inputs`. Another thread's may be dropped meanwhile,
  // unless the node is part of a model's definition.
  bool shows_history() const { return symbolic || context->is_current(); }
  // Gives the node its outputs' values.
  void set_values(std::vector<StoragePtr> computed);
  // Forgets how a value came about; the node must have one.
  void drop_history();

  Context* const context;        // that recorded it; it outlives the node
  int64_t number;                // counts the nodes of the context, in the order of recording
  std::shared_ptr<const Op> op;  // null for a leaf
  std::vector<Value> inputs;
  Specs specs;                              // one per output
  std::vector<StoragePtr> values;           // one per output once evaluated
  std::vector<Value> masks;                 // none, or one per output: see Tensor::mask
  std::shared_ptr<VariableState> variable;  // of a leaf that reads a variable
  int64_t variable_version = 0;
  // Of that variable, also when its value then was copied; or of the variable that this value was
  // assigned to and read from before the step that writes it.
  uint64_t variable_id = 0;
  bool symbolic = false;  // part of a functional model's definition: never evaluated, only traced
  Place where;
  const std::string* scope;  // the layer path, interned; never null
  // The operation whose gradient this was recorded for; empty in the forward pass.
  const std::string_view gradient_of;
  std::atomic<int> handles = 0;  // Tensor objects that point here, of all threads
  // A step has computed it on the way and did not keep its value.
  mutable std::atomic<bool> was_on_the_way = false;
  Node* previous = nullptr;  // the list of the context's nodes
  Node* next = nullptr;

 private:
  std::atomic<bool> is_evaluated_ = false;
};

}  // namespace plimsoll
