#include "plimsoll/nn/networks/network.h"

#include <fmt/format.h>

#include <map>

#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

// A column may be given as a vector, and a vector as a column, as in Keras.
Tensor with_rank(const Tensor& x, const Spec& expected) {
  const Shape found = shape_of_elements(x.spec()), wanted = shape_of_elements(expected);
  const int axis = x.dtype() == DType::string ? -2 : -1;  // the last but that of bytes
  if (found.rank() == wanted.rank() - 1 && wanted.back() == 1) return expand_dims(x, axis);
  if (found.rank() == wanted.rank() + 1 && found.back() == 1) return squeeze(x, axis);
  return x;
}

bool fits(const Shape& shape, const Shape& expected) {
  if (shape.rank() != expected.rank()) return false;
  for (int i = 0; i < shape.rank(); ++i)
    if (expected[i] != kUnknown && expected[i] != shape[i]) return false;
  return true;
}

}  // namespace

std::vector<LayerBody::Child> Network::numbered_children(
    const std::vector<std::shared_ptr<LayerBody>>& layers) {
  std::vector<Child> children;
  std::map<std::string, int> counts;
  for (const auto& layer : layers) {
    const std::string kind = snake_case(layer->class_name());
    const int count = counts[kind]++;
    children.push_back({"layers/" + kind + (count == 0 ? "" : fmt::format("_{}", count)), layer});
  }
  return children;
}

Tensors Network::conform(const Tensors& given) const {
  const Ports expected = inputs();
  if (given.size() != expected.size())
    refuse(fmt::format("expected {} inputs, found {}", expected.size(), given.size()));
  Tensors conforming;
  for (size_t i = 0; i < given.size(); ++i) {
    const auto& [name, spec] = expected[i];
    if ((given[i].dtype() == DType::string) != (spec.dtype == DType::string))
      refuse(fmt::format("input '{}' is {}, expected {}", name, name_of(given[i].dtype()),
                         name_of(spec.dtype)));
    const Tensor x = with_rank(given[i], spec);
    if (!fits(x.shape(), spec.shape))
      refuse("input '" + name + "' has shape " + display(shape_of_elements(given[i].spec())) +
             ", expected " + display(shape_of_elements(spec)));
    conforming.push_back(x.dtype() == spec.dtype ? x : cast(x, spec.dtype));
  }
  return conforming;
}

Spec with_stand_in(Spec spec, int64_t stand_in) {
  for (int i = 0; i < spec.shape.rank(); ++i)
    if (spec.shape[i] == kUnknown) spec.shape[i] = stand_in;
  return spec;
}

Shape with_unknown(Shape one, const Shape& other) {
  for (int i = 0; i < one.rank(); ++i)
    if (one[i] != other[i]) one[i] = kUnknown;
  return one;
}

std::string display(const Shape& shape) {
  std::string text = "(";
  for (int i = 0; i < shape.rank(); ++i)
    text += (i > 0 ? ", " : "") + (shape[i] == kUnknown ? "None" : std::to_string(shape[i]));
  return text + (shape.rank() == 1 ? ",)" : ")");
}

}  // namespace plimsoll
