#include "plimsoll/graph/op.h"

#include <algorithm>
#include <string>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/pending.h"
#include "plimsoll/graph/scope.h"

namespace plimsoll {
namespace {

// "conv2d_1 (conv2d)", or the op alone outside any layer.
std::string title(const Op& op) {
  const std::string& scope = *Scope::current();
  const std::string name(op.name());
  return scope.empty() ? name : scope + " (" + name + ")";
}

std::string circumstances(const Op& op, std::span<const Spec> in, Place where) {
  std::string text = " [inputs ";
  for (size_t i = 0; i < in.size(); ++i) text += (i > 0 ? ", " : "") + in[i].to_string();
  if (const std::string described = to_string(op); described != op.name()) text += "; " + described;
  return text + "; at " + where.to_string() + "]";
}

Specs infer(const Op& op, std::span<const Spec> in, Place where) {
  try {
    return op.infer(in);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(title(op) + ": " + error.what() +
                          circumstances(op, in, Scope::locate(where)));
  }
}

// Its history stays until the next tape ends, so that gradients flow through it.
void give_value_at_once(Node& node) {
  if (node.symbolic || node.inputs.size() != 1 || node.specs.size() != 1) return;
  const auto& [input, output] = node.inputs[0];
  if (!input->has_value()) return;
  StoragePtr value = node.op->value_at_once(input->spec(output), node.specs[0],
                                            input->values[static_cast<size_t>(output)]);
  if (value == nullptr) return;
  node.set_values({std::move(value)});
}

NodePtr record(OpPtr op, const Tensors& inputs, Place where) {
  Specs specs;
  std::vector<Value> edges;
  specs.reserve(inputs.size());
  edges.reserve(inputs.size());
  for (const Tensor& input : inputs) {
    if (!input.defined())
      throw InvalidArgument(title(*op) + ": an input tensor is empty (default-constructed)" +
                            circumstances(*op, specs, where));
    specs.push_back(input.spec());
    edges.push_back(recordable(input.value()));
  }
  Specs outputs = infer(*op, specs, where);
  auto node = std::make_shared<Node>(std::move(op), std::move(edges), std::move(outputs), where);
  give_value_at_once(*node);
  return node;
}

}  // namespace

bool SampleAxes::are_rows() const {
  const auto is_row = [](int axis) { return axis <= 0; };
  return std::ranges::all_of(in_axes, is_row) && out_axes[0] == 0;
}

bool SampleAxes::keep_length() const {
  return in_axes[0] >= 0 && in[0].shape[in_axes[0]] == out[0].shape[out_axes[0]];
}

LayoutChoice Op::layouts(std::span<const Spec> in, std::span<const Spec> out,
                         std::span<const Layout>) const {
  return {std::vector<Layout>(in.size()), std::vector<Layout>(out.size())};
}

Tensors Op::gradient(const Node&, const Tensors&) const {
  throw InvalidArgument(title(*this) + ": has no gradient");
}

StoragePtr Op::value_at_once(const Spec&, const Spec&, const StoragePtr& value) const {
  return is_view() ? value : nullptr;
}

std::shared_ptr<const Op> Op::pruned(std::span<const bool>) const {
  return nullptr;
}

LayoutChoice same_layout(std::span<const Spec> in, std::span<const Spec> out,
                         std::span<const Layout> offered) {
  LayoutChoice choice{std::vector<Layout>(in.size()), std::vector<Layout>(out.size())};
  Layout layout;
  for (size_t i = 0; i < in.size(); ++i) {
    const bool full = in[i].shape == out[0].shape;
    if (!full && in[i].shape.elements() != 1) return choice;
    if (full && layout.is_plain()) layout = offered[i];
  }
  for (size_t i = 0; i < in.size(); ++i)
    if (in[i].shape == out[0].shape) choice.inputs[i] = layout;
  for (size_t i = 0; i < out.size(); ++i)
    if (out[i].shape == out[0].shape) choice.outputs[i] = layout;
  return choice;
}

Tensors apply_all(OpPtr op, const Tensors& inputs, Place where) {
  const NodePtr node = record(std::move(op), inputs, where);
  Tensors tensors;
  tensors.reserve(node->specs.size());
  for (size_t i = 0; i < node->specs.size(); ++i)
    tensors.push_back(Tensor({node, static_cast<int>(i)}));
  return tensors;
}

Tensor apply(OpPtr op, const Tensors& inputs, Place where) {
  return Tensor({record(std::move(op), inputs, where), 0});
}

}  // namespace plimsoll
