// Element types and shapes between Python and the engine.
#include <array>
#include <string_view>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/networks/network.h"
#include "plimsoll/tensor/text.h"
#include "python/bindings/bind.h"

namespace plimsoll::python {
namespace {

struct NamedType {
  std::string_view name;
  DType dtype;
};

constexpr NamedType kTypes[] = {
    {"float32", DType::float32}, {"int32", DType::int32},     {"int64", DType::int64},
    {"uint8", DType::uint8},     {"bool", DType::boolean},    {"string", DType::string},
    {"float64", DType::float32}, {"float16", DType::float32}, {"bfloat16", DType::float32},
    {"half", DType::float32},    {"double", DType::float32},  {"float", DType::float32},
    {"int8", DType::int32},      {"int16", DType::int32},     {"uint16", DType::int32},
    {"uint32", DType::int64},    {"uint64", DType::int64},    {"int", DType::int32},
    {"str", DType::string},      {"object", DType::string},   {"bytes", DType::string}};

// "float32" of a string, a NumPy dtype or type, a DType of plimsoll.tensorflow.
std::string name_of_dtype(nb::handle object) {
  if (nb::isinstance<nb::str>(object)) return nb::cast<std::string>(object);
  if (nb::hasattr(object, "name")) return nb::cast<std::string>(nb::str(object.attr("name")));
  if (nb::hasattr(object, "__name__"))
    return nb::cast<std::string>(nb::str(object.attr("__name__")));
  return nb::cast<std::string>(nb::str(object));
}

}  // namespace

DType dtype_of(nb::handle object) {
  std::string name = name_of_dtype(object);
  if (name.ends_with("_ref")) name.resize(name.size() - 4);
  for (const NamedType& type : kTypes)
    if (name == type.name) return type.dtype;
  if (name.starts_with("mixed_")) return DType::float32;
  if (name.starts_with("bytes") || name.starts_with("str")) return DType::string;
  throw InvalidArgument("'" + name +
                        "' is not an element type that is known here (known: float32, int32, "
                        "int64, uint8, bool, string)");
}

// One Python string for each.
nb::object dtype_name(DType dtype) {
  static auto* names = new std::array<nb::object, 6>();
  nb::object& name = (*names)[static_cast<size_t>(dtype)];
  if (!name.is_valid()) name = nb::str(name_of(dtype).data(), name_of(dtype).size());
  return name;
}

Shape to_shape(nb::handle shape) {
  Shape found;
  const auto add = [&](nb::handle size) {
    found.push_back(size.is_none() ? kUnknown : nb::cast<int64_t>(nb::int_(nb::borrow(size))));
  };
  if (nb::isinstance<nb::int_>(shape) || !nb::hasattr(shape, "__iter__"))
    add(shape);
  else
    for (const nb::handle size : shape) add(size);
  return found;
}

nb::tuple from_shape(const Shape& shape) {
  nb::list sizes;
  for (const int64_t size : shape)
    sizes.append(size == kUnknown ? nb::none() : nb::object(nb::int_(size)));
  return nb::tuple(sizes);
}

nb::tuple shape_of(const Spec& spec) {
  return from_shape(shape_of_elements(spec));
}

}  // namespace plimsoll::python
