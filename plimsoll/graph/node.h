// Node: one recorded operation, or a leaf (data, a variable, a placeholder). A node that has been
// evaluated becomes a leaf with data; its history is dropped unless a GradientTape is open.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "plimsoll/graph/op.h"
#include "plimsoll/graph/tensor.h"

namespace plimsoll {

struct VariableState;

class Node : public std::enable_shared_from_this<Node> {
 public:
  Node(OpPtr op, std::vector<Value> inputs, Specs specs, Place where);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  Tensor input(int i) const { return Tensor(inputs[static_cast<size_t>(i)]); }
  Tensor output(int i) const {
    return Tensor({std::const_pointer_cast<Node>(shared_from_this()), i});
  }
  const Spec& spec(int output) const { return specs[static_cast<size_t>(output)]; }

  bool has_value() const { return !values.empty(); }
  // An op that has still to run.
  bool is_pending() const { return op != nullptr && !has_value(); }
  // Gives the node its outputs' values.
  void set_values(std::vector<StoragePtr> computed);
  // Forgets how a value came about; the node must have one.
  void drop_history();

  OpPtr op;  // null for a leaf
  std::vector<Value> inputs;
  Specs specs;                              // one an output
  std::vector<StoragePtr> values;           // one an output once evaluated
  std::vector<Value> masks;                 // none, or one an output: see Tensor::mask
  std::shared_ptr<VariableState> variable;  // of a leaf that reads a variable
  int64_t variable_version = 0;
  bool symbolic = false;  // part of a functional model's definition: never evaluated, only traced
  Place where;
  const std::string* scope;  // the layer path, interned; never null
  int handles = 0;           // Tensor objects that point here
  Node* previous = nullptr;  // the list of this thread's nodes
  Node* next = nullptr;
};

}  // namespace plimsoll
