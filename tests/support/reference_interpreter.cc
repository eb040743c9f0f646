#include "tests/support/reference_interpreter.h"

#include <stdexcept>

#include "plimsoll/graph/variable.h"
#include "tests/support/array_bytes.h"

namespace plimsoll::testing {
namespace {

Arrays leaf_values(const Node& leaf) {
  if (leaf.variable)
    return {read_array(leaf.spec(0), Layout::plain(), leaf.variable->storage.data())};
  if (!leaf.has_value())
    throw std::logic_error("placeholder " + leaf.spec(0).to_string() + " has no value");
  Arrays values;
  for (size_t i = 0; i < leaf.values.size(); ++i)
    values.push_back(read_array(leaf.specs[i], Layout::plain(), leaf.values[i]->data()));
  return values;
}

}  // namespace

void ReferenceInterpreter::set(const Tensor& placeholder, Array value) {
  values_.insert_or_assign(placeholder.value().node.get(), Arrays{std::move(value)});
}

const Array& ReferenceInterpreter::evaluate(const Tensor& tensor) {
  const Value& value = tensor.value();
  return evaluate(*value.node)[static_cast<size_t>(value.output)];
}

const Arrays& ReferenceInterpreter::evaluate(const Node& node) {
  if (const auto known = values_.find(&node); known != values_.end()) return known->second;
  if (!node.op) return values_.emplace(&node, leaf_values(node)).first->second;
  Arrays inputs;
  for (const Value& input : node.inputs)
    inputs.push_back(evaluate(*input.node)[static_cast<size_t>(input.output)]);
  return values_.emplace(&node, node.op->reference(inputs)).first->second;
}

}  // namespace plimsoll::testing
