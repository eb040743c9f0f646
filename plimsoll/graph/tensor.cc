#include "plimsoll/graph/tensor.h"

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/variable_state.h"

namespace plimsoll {
namespace {

Tensor leaf(StoragePtr storage, const Spec& spec, Place where) {
  auto node = std::make_shared<Node>(nullptr, std::vector<Value>{}, Specs{spec}, where);
  if (storage != nullptr) node->set_values({std::move(storage)});
  return Tensor({std::move(node), 0});
}

template <class T>
Tensor copy_of(std::span<const T> values, const Shape& shape, Place where) {
  const Spec spec{DTypeOf<T>::value, shape};
  if (static_cast<int64_t>(values.size()) != shape.elements())
    throw InvalidArgument(fmt::format("constant: shape {} has {} elements, found {} values",
                                      shape.to_string(), shape.elements(), values.size()));
  auto storage = std::make_shared<Storage>(spec.bytes());
  if (!values.empty()) std::memcpy(storage->data(), values.data(), values.size_bytes());
  return leaf(std::move(storage), spec, where);
}

}  // namespace

Tensor Node::input(int i) const {
  return Tensor(inputs[static_cast<size_t>(i)]);
}

Tensor Node::output(int i) const {
  return Tensor({std::const_pointer_cast<Node>(shared_from_this()), i});
}

Tensor::Tensor(Value value) : value_(std::move(value)) {
  // A thread that sees the handle counted sees the whole node.
  if (value_.node != nullptr) value_.node->handles.fetch_add(1, std::memory_order_release);
}

Tensor::Tensor(const Tensor& other) : Tensor(other.value_) {}

Tensor::Tensor(Tensor&& other) noexcept : value_(std::move(other.value_)) {
  other.value_ = {};
}

Tensor& Tensor::operator=(Tensor other) noexcept {
  std::swap(value_, other.value_);
  return *this;
}

Tensor::~Tensor() {
  if (value_.node != nullptr) value_.node->handles.fetch_sub(1, std::memory_order_release);
}

const Spec& Tensor::spec() const {
  if (!defined()) throw InvalidArgument("tensor: empty (default-constructed), it has no shape");
  return value_.node->spec(value_.output);
}

Tensor Tensor::mask() const {
  spec();
  const std::vector<Value>& masks = value_.node->masks;
  const auto output = static_cast<size_t>(value_.output);
  return output < masks.size() ? Tensor(masks[output]) : Tensor();
}

void Tensor::set_mask(const Tensor& mask) const {
  spec();
  value_.node->masks.resize(value_.node->specs.size());
  value_.node->masks[static_cast<size_t>(value_.output)] = mask.value_;
}

const std::byte* Tensor::data() const {
  spec();
  const Node& node = *value_.node;
  if (!node.has_value()) {
    if (node.symbolic)
      throw InvalidArgument("tensor: part of a functional model's definition, it has no value");
    if (node.context->is_current() && node.variable != nullptr &&
        node.variable->version == node.variable_version)
      return node.variable->storage.data();
    evaluate(std::span(this, 1));
  }
  if (!node.has_value()) throw InvalidArgument("tensor: a placeholder, it has no value");
  return node.values[static_cast<size_t>(value_.output)]->data();
}

double Tensor::item() const {
  if (shape().elements() != 1)
    throw InvalidArgument("item: expected a tensor of one element, found " + spec().to_string());
  const std::byte* bytes = data();
  return visit_dtype(dtype(), [&](auto zero) {
    decltype(zero) element;
    std::memcpy(&element, bytes, sizeof element);
    return static_cast<double>(element);
  });
}

template <class T>
std::vector<T> Tensor::to_vector() const {
  const bool bool_as_byte = DTypeOf<T>::value == DType::uint8 && dtype() == DType::boolean;
  if (dtype() != DTypeOf<T>::value && !bool_as_byte)
    throw InvalidArgument("to_vector: the tensor is " + spec().to_string() + ", asked for " +
                          std::string(name_of(DTypeOf<T>::value)));
  std::vector<T> values(static_cast<size_t>(shape().elements()));
  const std::byte* bytes = data();
  if (!values.empty()) std::memcpy(values.data(), bytes, values.size() * sizeof(T));
  return values;
}

template std::vector<float> Tensor::to_vector() const;
template std::vector<int32_t> Tensor::to_vector() const;
template std::vector<int64_t> Tensor::to_vector() const;
template std::vector<uint8_t> Tensor::to_vector() const;

Tensor constant(std::span<const float> values, const Shape& shape, Place where) {
  return copy_of(values, shape, where);
}
Tensor constant(std::span<const int32_t> values, const Shape& shape, Place where) {
  return copy_of(values, shape, where);
}
Tensor constant(std::span<const int64_t> values, const Shape& shape, Place where) {
  return copy_of(values, shape, where);
}
Tensor constant(std::span<const uint8_t> values, const Shape& shape, Place where) {
  return copy_of(values, shape, where);
}

Tensor scalar(double value, DType dtype, Place where) {
  const Spec spec{dtype, {}};
  auto storage = std::make_shared<Storage>(spec.bytes());
  visit_dtype(dtype, [&](auto zero) {
    const auto element = static_cast<decltype(zero)>(value);
    std::memcpy(storage->data(), &element, sizeof element);
  });
  return leaf(std::move(storage), spec, where);
}

Tensor wrap(StoragePtr storage, const Spec& spec, Place where) {
  if (storage == nullptr || storage->bytes() < spec.bytes())
    throw InvalidArgument("wrap: the storage is smaller than " + spec.to_string());
  if (reinterpret_cast<uintptr_t>(storage->data()) % static_cast<uintptr_t>(size_of(spec.dtype))) {
    auto aligned = std::make_shared<Storage>(spec.bytes());
    std::memcpy(aligned->data(), storage->data(), static_cast<size_t>(spec.bytes()));
    storage = std::move(aligned);
  }
  return leaf(std::move(storage), spec, where);
}

Tensor placeholder(const Spec& spec, Place where) {
  return leaf(nullptr, spec, where);
}

}  // namespace plimsoll
