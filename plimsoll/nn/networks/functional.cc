#include "plimsoll/nn/networks/functional.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "plimsoll/graph/node.h"
#include "plimsoll/graph/traverse.h"
#include "plimsoll/nn/layers/layer_call.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/nn/operations/operation.h"
#include "plimsoll/nn/shapes_only.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

std::vector<Value> values_of(const Tensors& tensors) {
  std::vector<Value> values;
  for (const Tensor& tensor : tensors) values.push_back(tensor.value());
  return values;
}

const Port* input_of(const Tensor& tensor) {
  const auto layer = tensor.defined() ? called_layer(*tensor.value().node) : nullptr;
  return layer == nullptr ? nullptr : as_input(*layer);
}

// The symbolic nodes that the outputs depend on, each after its inputs.
std::vector<NodePtr> definition_of(std::span<const Value> outputs) {
  std::vector<NodePtr> order = topological_order(outputs, Follow::history);
  std::erase_if(order, [](const NodePtr& node) { return !node->symbolic; });
  return order;
}

}  // namespace

FunctionalBody::FunctionalBody(const Tensors& inputs, const Tensors& outputs, std::string name) {
  set_name(name.empty() ? unique_name(class_name()) : std::move(name));
  if (outputs.empty()) refuse("has no outputs");
  for (const Tensor& input : inputs) add_input(input);
  for (size_t i = 0; i < outputs.size(); ++i)
    if (!outputs[i].defined() || !outputs[i].value().node->symbolic)
      refuse(fmt::format("output {} does not depend on the inputs", i));
  for (const NodePtr& node : definition_of(values_of(outputs))) {
    if (step_of_.contains(node.get())) continue;
    refuse_stray(*node);
    add_step(node);
  }
  for (const Tensor& output : outputs) outputs_.push_back(source_of(output.value()));
  order_layers();
  name_outputs();
  const auto structure_of = [](size_t count) {
    return Structure{count == 1 ? Structure::Kind::one : Structure::Kind::list};
  };
  set_structure(structure_of(inputs.size()), structure_of(outputs.size()));
}

void FunctionalBody::set_structure(Structure inputs, Structure outputs) {
  input_structure_ = std::move(inputs);
  output_structure_ = std::move(outputs);
}

void FunctionalBody::add_input(const Tensor& input) {
  const Port* port = input_of(input);
  const std::string place = fmt::format("input {}", input_ports_.size());
  if (port == nullptr) refuse(place + " was not made by Input()");
  if (step_of_.contains(input.value().node.get()))
    refuse(place + " ('" + port->name + "') is given twice");
  input_ports_.push_back(*port);
  add_step(input.value().node);
}

void FunctionalBody::refuse_stray(const Node& node) const {
  const auto layer = called_layer(node);
  if (layer != nullptr && as_input(*layer) != nullptr)
    refuse("the outputs depend on the input '" + layer->name() +
           "', which is not among the model's inputs");
  for (const Value& input : node.inputs)
    if (input.node->variable != nullptr)
      refuse("reads the variable " + input.node->variable->name +
             " outside a layer; make it a weight of one");
}

void FunctionalBody::add_step(const NodePtr& node) {
  Step step{.node = node, .layer = called_layer(*node)};
  for (const Value& input : node->inputs) step.sources.push_back(source_of(input));
  step.name = name_of_step(step);
  step_of_.emplace(node.get(), static_cast<int>(steps_.size()));
  steps_.push_back(std::move(step));
}

// "add", then "add_1": ops have no names of their own.
std::string FunctionalBody::name_of_step(const Step& step) const {
  if (step.layer != nullptr) return step.layer->name();
  const std::string_view op = step.node->op->name();
  const auto same = std::ranges::count_if(steps_, [&](const Step& other) {
    return other.layer == nullptr && other.node->op->name() == op;
  });
  return std::string(op) + (same == 0 ? "" : fmt::format("_{}", same));
}

FunctionalBody::Source FunctionalBody::source_of(const Value& value) const {
  const auto found = step_of_.find(value.node.get());
  if (found == step_of_.end()) return {.outside = value};
  return {.step = found->second, .output = value.output};
}

std::vector<int> FunctionalBody::depths() const {
  std::vector<int> depth(steps_.size(), 0);
  std::map<const LayerBody*, int> deepest;  // a shared layer is as deep as its deepest use
  for (size_t i = steps_.size(); i-- > 0;) {
    const Step& step = steps_[i];
    if (step.layer != nullptr) {
      int& layer_depth = deepest[step.layer.get()];
      depth[i] = layer_depth = std::max(layer_depth, depth[i]);
    }
    for (const Source& source : step.sources)
      if (source.step >= 0) {
        int& before = depth[static_cast<size_t>(source.step)];
        before = std::max(before, depth[i] + 1);
      }
  }
  return depth;
}

std::vector<int> FunctionalBody::walk() const {
  std::vector<int> met, stack;
  std::vector<bool> seen(steps_.size(), false);
  for (auto output = outputs_.rbegin(); output != outputs_.rend(); ++output)
    stack.push_back(output->step);
  while (!stack.empty()) {
    const int i = stack.back();
    stack.pop_back();
    if (seen[static_cast<size_t>(i)]) continue;
    seen[static_cast<size_t>(i)] = true;
    met.push_back(i);
    const std::vector<Source>& sources = steps_[static_cast<size_t>(i)].sources;
    for (auto source = sources.rbegin(); source != sources.rend(); ++source)
      if (source->step >= 0) stack.push_back(source->step);
  }
  return met;
}

void FunctionalBody::order_layers() {
  const std::vector<int> depth = depths();
  std::map<const LayerBody*, int> deepest;
  for (size_t i = 0; i < steps_.size(); ++i)
    if (steps_[i].layer != nullptr) {
      int& layer_depth = deepest[steps_[i].layer.get()];
      layer_depth = std::max(layer_depth, depth[i]);
    }
  std::vector<int> order = walk();
  for (size_t i = 0; i < input_ports_.size(); ++i)  // an input that no output needs comes first
    if (std::ranges::find(order, static_cast<int>(i)) == order.end())
      order.insert(order.begin(), static_cast<int>(i));
  std::unordered_set<const LayerBody*> seen;
  for (const int i : order) {
    const auto& layer = steps_[static_cast<size_t>(i)].layer;
    if (layer != nullptr && as_operation(*layer) == nullptr && seen.insert(layer.get()).second)
      layers_.push_back(layer);
  }
  std::stable_sort(layers_.begin(), layers_.end(), [&](const auto& a, const auto& b) {
    return deepest[a.get()] > deepest[b.get()];
  });
}

void FunctionalBody::name_outputs() {
  const std::vector<Tensors> other = trace(kOtherStandIn);
  for (const Source& output : outputs_) {
    const Step& step = steps_[static_cast<size_t>(output.step)];
    Spec spec = step.node->spec(output.output);
    const Tensors& traced = other[static_cast<size_t>(output.step)];
    spec.shape = with_unknown(spec.shape, traced[static_cast<size_t>(output.output)].shape());
    output_ports_.push_back({step.name, spec});
  }
}

Tensors FunctionalBody::call_layer(const Step& step, const Tensors& edges,
                                   std::optional<bool> is_training) const {
  LayerCall::Arguments arguments = as_layer_call(*step.node)->arguments(edges);
  const bool as_noted = arguments.options.training && heeds_training_ && is_training;
  if (!as_noted) arguments.options.training = is_training.value_or(false);
  return (*step.layer)(arguments.inputs, arguments.options);
}

std::vector<Tensors> FunctionalBody::replay(const Tensors& inputs,
                                            std::optional<bool> is_training) const {
  std::vector<Tensors> results(steps_.size());
  const auto find = [&](const Source& source) {
    if (source.step < 0) return Tensor(source.outside);
    return results[static_cast<size_t>(source.step)][static_cast<size_t>(source.output)];
  };
  for (size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    if (i < inputs.size()) {  // the inputs are the first steps
      results[i] = {inputs[i]};
      continue;
    }
    Tensors arguments;
    for (const Source& source : step.sources) arguments.push_back(find(source));
    results[i] = step.layer != nullptr ? call_layer(step, arguments, is_training)
                                       : apply_all(step.node->op, arguments, step.node->where);
    if (step.layer != nullptr && step.layer->takes_masks_off())
      for (const Source& source : step.sources)
        if (source.step >= static_cast<int>(inputs.size())) find(source).set_mask(Tensor());
  }
  return results;
}

std::vector<Tensors> FunctionalBody::trace(int64_t stand_in) const {
  const ShapesOnly only;
  Tensors inputs;
  for (const Port& port : input_ports_)
    inputs.push_back(placeholder(with_stand_in(port.spec, stand_in)));
  return replay(inputs, {});
}

Tensors FunctionalBody::call(const Tensors& given, const CallContext& context) {
  const std::vector<Tensors> results = replay(conform(given), context.is_training);
  Tensors found;
  for (const Source& output : outputs_)
    found.push_back(results[static_cast<size_t>(output.step)][static_cast<size_t>(output.output)]);
  return found;
}

std::vector<Specs> FunctionalBody::step_specs() const {
  const std::vector<Tensors> one = trace(kStandIn), other = trace(kOtherStandIn);
  std::vector<Specs> specs(steps_.size());
  for (size_t i = 0; i < steps_.size(); ++i)
    for (size_t k = 0; k < one[i].size(); ++k)
      specs[i].push_back({one[i][k].dtype(), with_unknown(one[i][k].shape(), other[i][k].shape())});
  return specs;
}

std::vector<Network::Row> FunctionalBody::rows() const {
  const std::vector<Specs> specs = step_specs();
  std::vector<Row> rows;
  std::map<const LayerBody*, size_t> row_of;
  for (size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    const std::string kind(step.layer ? step.layer->class_name() : step.node->op->name());
    if (step.layer == nullptr || row_of.emplace(step.layer.get(), rows.size()).second)
      rows.push_back({.name = step.name, .kind = kind, .layer = step.layer});
    Row& row = step.layer ? rows[row_of[step.layer.get()]] : rows.back();
    row.outputs.clear();  // a shared layer shows its last use
    for (const Spec& spec : specs[i]) row.outputs.push_back(shape_of_elements(spec));
    for (const Source& source : step.sources)
      if (source.step >= 0) row.sources.push_back(steps_[static_cast<size_t>(source.step)].name);
  }
  return rows;
}

}  // namespace plimsoll
