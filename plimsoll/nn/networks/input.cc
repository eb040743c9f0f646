#include "plimsoll/nn/networks/input.h"

#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/layers/layer_call.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

class InputBody final : public LayerBody {
 public:
  explicit InputBody(Port port) : port_(std::move(port)) { set_name(port_.name); }

  std::string_view class_name() const override { return "InputLayer"; }
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }
  int input_count() const override { return 0; }
  // A definition begins here: there is no value to read, only the spec of a later one.
  Tensors call(const Tensors&, const CallContext&) override {
    return {placeholder(with_stand_in(port_.spec, kStandIn))};
  }
  const Port& port() const { return port_; }

 private:
  Port port_;
};

Port port_of(const InputOptions& options) {
  Shape shape{options.batch_size.value_or(kUnknown)};
  for (const int64_t dim : options.shape) shape.push_back(dim);
  if (options.dtype == DType::string) shape.push_back(kUnknown);  // the bytes of a text
  const std::string name = options.name.empty() ? unique_name("InputLayer") : options.name;
  for (const int64_t dim : shape)
    if (dim < kUnknown)
      throw InvalidArgument(fmt::format(
          "{}: a dimension of the shape is {}, expected a size, or -1 if each call decides it",
          name, dim));
  return {name, {options.dtype, shape}};
}

}  // namespace

Tensor Input(const InputOptions& options, Place where) {
  return input_of(InputLayer(options), where);
}

Tensor input_of(const Layer& layer, Place where) {
  return record_call(layer.body(), {}, {}, where)[0];
}

InputLayer::InputLayer(const InputOptions& options)
    : Layer(std::make_shared<InputBody>(port_of(options))) {}

const Port* as_input(const LayerBody& body) {
  const auto* input = dynamic_cast<const InputBody*>(&body);
  return input == nullptr ? nullptr : &input->port();
}

}  // namespace plimsoll
