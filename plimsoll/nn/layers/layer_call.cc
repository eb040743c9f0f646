#include "plimsoll/nn/layers/layer_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/scope.h"
#include "plimsoll/nn/shapes_only.h"

namespace plimsoll {

// A layer is equal only to itself, whatever its settings.
template <>
struct AttributeType<std::shared_ptr<LayerBody>> {
  static void sign(Signature& to, const std::shared_ptr<LayerBody>& layer) {
    to.add(reinterpret_cast<intptr_t>(layer.get()));
  }
  static std::string text(const std::shared_ptr<LayerBody>& layer) {
    return attribute_text(std::string_view(layer->name()));
  }
  static void change(std::shared_ptr<LayerBody>& layer) { layer = nullptr; }
};

namespace {

std::string misuse(const LayerBody& layer) {
  return layer.name() + ": part of a functional model's definition, which is never evaluated";
}

}  // namespace

LayerCall::LayerCall(std::shared_ptr<LayerBody> layer, const CallOptions& options)
    : layer_(std::move(layer)),
      options_(options),
      has_mask_(options.mask.defined()),
      has_attention_mask_(options.attention_mask.defined()),
      state_count_(options.initial_state.size()) {
  options_.mask = {};
  options_.attention_mask = {};
  options_.initial_state.clear();
}

LayerCall::Arguments LayerCall::arguments(const Tensors& edges) const {
  const size_t extra = (has_mask_ ? 1 : 0) + (has_attention_mask_ ? 1 : 0) + state_count_;
  auto next = edges.end() - static_cast<ptrdiff_t>(extra);
  Arguments found{Tensors(edges.begin(), next), options_};
  if (has_mask_) found.options.mask = *next++;
  if (has_attention_mask_) found.options.attention_mask = *next++;
  found.options.initial_state.assign(next, edges.end());
  return found;
}

void LayerCall::describe(Attributes& to) const {
  const auto& [layer, options, has_mask, has_attention_mask, state_count] = *this;
  to.with("layer", layer).with("training", options.training, {});
  to.with("mask", has_mask, false).with("attention_mask", has_attention_mask, false);
  to.with("use_causal_mask", options.use_causal_mask, false);
  to.with("return_attention_scores", options.return_attention_scores, false);
  to.with("form", options.form, 0);
  to.with("initial_state", state_count, 0);
}

Specs LayerCall::infer(std::span<const Spec> in) const {
  const ShapesOnly only;
  Tensors inputs;
  for (const Spec& spec : in) inputs.push_back(placeholder(spec));
  Specs specs;
  Arguments found = arguments(inputs);
  found.options.training = false;  // shapes are the same, and nothing is assigned
  for (const Tensor& output : (*layer_)(found.inputs, found.options))
    specs.push_back(output.spec());
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
                    const CallOptions& options, Place where) {
  Tensors all = inputs;
  if (options.mask.defined()) all.push_back(options.mask);
  if (options.attention_mask.defined()) all.push_back(options.attention_mask);
  all.insert(all.end(), options.initial_state.begin(), options.initial_state.end());
  Specs in;
  std::vector<Value> edges;
  for (const Tensor& tensor : all) {
    in.push_back(tensor.spec());
    edges.push_back(tensor.value());
  }
  auto call = std::make_shared<LayerCall>(layer, options);
  Specs out = call->infer(in);
  const int count = static_cast<int>(out.size());
  auto node = std::make_shared<Node>(std::move(call), std::move(edges), std::move(out), where);
  node->symbolic = true;
  Tensors outputs;
  for (int i = 0; i < count; ++i) outputs.push_back(Tensor({node, i}));
  return outputs;
}

Tensors Layer::operator()(const Tensors& inputs, const CallOptions& options, Place where) const {
  if (body_ == nullptr) throw InvalidArgument("layer: empty (default-constructed)");
  const CallSite site(where);
  return is_symbolic(inputs) ? record_call(body_, inputs, options, where)
                             : (*body_)(inputs, options);
}

Tensor Layer::operator()(const Tensor& input, const CallOptions& options, Place where) const {
  const Tensors outputs = (*this)(Tensors{input}, options, where);
  if (outputs.size() != 1)
    throw InvalidArgument(
        fmt::format("{}: has {} outputs; call it with a list of tensors to get them all",
                    body_->name(), outputs.size()));
  return outputs[0];
}

const LayerCall* as_layer_call(const Node& node) {
  return dynamic_cast<const LayerCall*>(node.op.get());
}

std::shared_ptr<LayerBody> called_layer(const Node& node) {
  const LayerCall* call = as_layer_call(node);
  return call == nullptr ? nullptr : call->layer();
}

}  // namespace plimsoll
