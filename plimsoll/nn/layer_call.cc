#include "plimsoll/nn/layer_call.h"

#include <algorithm>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

std::string misuse(const LayerBody& layer) {
  return layer.name() + ": part of a functional model's definition, which is never evaluated";
}

}  // namespace

void LayerCall::sign(Signature& signature) const {
  signature.add(reinterpret_cast<intptr_t>(layer_.get()));
}

Specs LayerCall::infer(std::span<const Spec> in) const {
  Tensors inputs;
  for (const Spec& spec : in) inputs.push_back(placeholder(spec));
  Specs specs;
  for (const Tensor& output : (*layer_)(inputs, {})) specs.push_back(output.spec());
  return specs;
}

KernelPtr LayerCall::kernel(const KernelRequest&) const {
  throw Error(misuse(*layer_));
}

Arrays LayerCall::reference(std::span<const Array>) const {
  throw Error(misuse(*layer_));
}

bool is_symbolic(const Tensors& tensors) {
  return std::ranges::any_of(
      tensors, [](const Tensor& t) { return t.defined() && t.value().node->symbolic; });
}

Tensors record_call(const std::shared_ptr<LayerBody>& layer, const Tensors& inputs,
                    std::source_location where) {
  Specs in;
  std::vector<Value> edges;
  for (const Tensor& input : inputs) {
    in.push_back(input.spec());
    edges.push_back(input.value());
  }
  auto call = std::make_shared<LayerCall>(layer);
  Specs out = call->infer(in);
  const int count = static_cast<int>(out.size());
  auto node = std::make_shared<Node>(std::move(call), std::move(edges), std::move(out), where);
  node->symbolic = true;
  Tensors outputs;
  for (int i = 0; i < count; ++i) outputs.push_back(Tensor({node, i}));
  return outputs;
}

std::shared_ptr<LayerBody> called_layer(const Node& node) {
  const auto* call = dynamic_cast<const LayerCall*>(node.op.get());
  return call == nullptr ? nullptr : call->layer();
}

}  // namespace plimsoll
