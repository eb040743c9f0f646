#include "plimsoll/nn/networks/sequential.h"

#include <fmt/format.h>

#include <utility>

#include "plimsoll/graph/scope.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/nn/shapes_only.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {

SequentialBody::SequentialBody(const Layers& layers, std::string name) {
  set_name(name.empty() ? unique_name(class_name()) : std::move(name));
  for (const Layer& layer : layers) append(layer);
  build_from_input();
}

void SequentialBody::add(const Layer& layer) {
  append(layer);
  build_from_input();
}

void SequentialBody::pop() {
  if (layers_.empty()) refuse("there is no layer to pop");
  layers_.pop_back();
}

void SequentialBody::append(const Layer& layer) {
  if (layer.body() == nullptr) refuse("a layer is empty (default-constructed)");
  for (const auto& other : layers_)
    if (other->name() == layer->name())
      refuse("two layers are called '" + layer->name() + "'; names must differ");
  const Port* port = as_input(*layer);
  if (port != nullptr && (input_ || !layers_.empty()))
    refuse(fmt::format("an InputLayer must come first, found '{}' at position {}", layer->name(),
                       layers_.size()));
  if (port == nullptr) layers_.push_back(layer.body());
  const auto* inner = dynamic_cast<const Network*>(layer.body().get());
  if (port != nullptr) {
    input_ = *port;
    declared_ = true;
  } else if (!input_ && inner != nullptr && layers_.size() == 1 && inner->inputs().size() == 1) {
    input_ = inner->inputs()[0];
  }
}

void SequentialBody::build_from_input() {
  const ShapesOnly only;
  if (input_ && !layers_.empty()) (*this)({placeholder(with_stand_in(input_->spec, kStandIn))}, {});
}

void SequentialBody::build(const Specs& inputs) {
  if (layers_.empty()) refuse("has no layers; add one before calling it");
  if (input_) return;
  input_ = Port{name() + "_input", inputs[0]};
  if (input_->spec.shape.rank() > 0) input_->spec.shape[0] = kUnknown;
}

Tensors SequentialBody::call(const Tensors& given, const CallContext& context) {
  Tensors x = declared_ ? conform(given) : given;
  for (const auto& layer : layers_) x = (*layer)(x, {.training = context.is_training});
  return x;
}

Tensors SequentialBody::trace(int64_t stand_in) const {
  const ShapesOnly only;
  const Scope scope(name());
  Tensors x = {placeholder(with_stand_in(input_->spec, stand_in))};
  Tensors outputs;
  for (const auto& layer : layers_) {
    x = (*layer)(x, {});
    outputs.push_back(x[0]);
  }
  return outputs;
}

Ports SequentialBody::inputs() const {
  return input_ ? Ports{*input_} : Ports{};
}

Ports SequentialBody::outputs() const {
  if (!input_ || layers_.empty()) return {};
  const Tensor one = trace(kStandIn).back(), other = trace(kOtherStandIn).back();
  return {{layers_.back()->name(), {one.dtype(), with_unknown(one.shape(), other.shape())}}};
}

std::vector<Network::Row> SequentialBody::rows() const {
  const bool known = input_.has_value();
  const Tensors one = known ? trace(kStandIn) : Tensors();
  const Tensors other = known ? trace(kOtherStandIn) : Tensors();
  std::vector<Row> rows;
  for (size_t i = 0; i < layers_.size(); ++i) {
    Row row{.name = layers_[i]->name(),
            .kind = std::string(layers_[i]->class_name()),
            .layer = layers_[i]};
    if (known)
      row.outputs = {
          shape_of_elements({one[i].dtype(), with_unknown(one[i].shape(), other[i].shape())})};
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace plimsoll
