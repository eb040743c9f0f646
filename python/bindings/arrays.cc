#include "python/bindings/arrays.h"

#include <nanobind/ndarray.h>

#include <cstring>

#include "plimsoll/base/error.h"
#include "plimsoll/ops/text/text.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll::python {
namespace {

nb::object numpy_type(DType dtype) {
  return numpy().attr(dtype == DType::boolean ? "bool_" : name_of(dtype).data());
}

bool holds_text(nb::handle array) {
  const auto kind = nb::cast<std::string>(array.attr("dtype").attr("kind"));
  return kind == "U" || kind == "S" || kind == "O";
}

std::string text_of(nb::handle element) {
  if (nb::isinstance<nb::bytes>(element)) {
    const nb::bytes bytes = nb::borrow<nb::bytes>(element);
    return {bytes.c_str(), bytes.size()};
  }
  if (nb::isinstance<nb::str>(element)) return nb::cast<std::string>(element);
  throw InvalidArgument("an array of Python objects holds " +
                        nb::cast<std::string>(nb::repr(element)) +
                        ", expected texts or numbers of one type");
}

// The engine pads texts with zero bytes, so a text that ends in one, such as the pixels of an
// image, is held with an end of its own.
constexpr std::string_view kEnd("\0\xfe\xff\x01", 4);

std::string with_end(std::string text) {
  if (text.ends_with('\0') || text.ends_with(kEnd)) text += kEnd;
  return text;
}

std::string_view without_end(std::string_view text) {
  if (text.ends_with(kEnd)) text.remove_suffix(kEnd.size());
  return text;
}

Tensor tensor_of_texts(nb::handle array, Place where) {
  std::vector<std::string> values;
  for (const nb::handle element : array.attr("ravel")().attr("tolist")())
    values.push_back(with_end(text_of(element)));
  return texts(values, to_shape(array.attr("shape")), where);
}

// Texts as Python's bytes, as TensorFlow has them.
nb::object array_of_texts(const Tensor& tensor) {
  nb::list values;
  for (const std::string& held : to_texts(tensor)) {
    const std::string_view text = without_end(held);
    values.append(nb::bytes(text.data(), text.size()));
  }
  const nb::object array = numpy().attr("empty")(values.size(), "object");
  for (size_t i = 0; i < values.size(); ++i) array[nb::int_(i)] = values[i];
  return array.attr("reshape")(shape_of(tensor.spec()));
}

template <class T>
nb::object view_of(const Tensor& tensor) {
  auto* kept = new Tensor(tensor);
  const nb::capsule owner(kept, [](void* held) noexcept { delete static_cast<Tensor*>(held); });
  const Shape& shape = tensor.shape();
  std::vector<size_t> sizes(shape.begin(), shape.end());
  const auto* data = reinterpret_cast<const T*>(tensor.data());
  return nb::cast(nb::ndarray<nb::numpy, const T>(data, sizes.size(), sizes.data(), owner));
}

}  // namespace

nb::object numpy() {
  static auto* module = new nb::object(nb::module_::import_("numpy"));
  return *module;
}

DType dtype_of_array(nb::handle array) {
  if (holds_text(array)) return DType::string;
  const auto kind = nb::cast<std::string>(array.attr("dtype").attr("kind"));
  if (kind == "c" || kind == "V" || kind == "M" || kind == "m")
    throw InvalidArgument("arrays of the type " +
                          nb::cast<std::string>(nb::str(array.attr("dtype"))) +
                          " cannot be used; expected numbers or texts");
  return dtype_of(array.attr("dtype"));
}

nb::object plain_array(nb::handle object, std::optional<DType> dtype) {
  nb::object array = numpy().attr("asarray")(object);
  // NumPy's own texts lose zero bytes at their ends.
  if (nb::cast<std::string>(array.attr("dtype").attr("kind")) == "S" && !array.is(object))
    array = numpy().attr("asarray")(object, "object");
  const DType held = dtype.value_or(dtype_of_array(array));
  if (held == DType::string) return array;
  return numpy()
      .attr("ascontiguousarray")(array, numpy_type(held))
      .attr("reshape")(array.attr("shape"));
}

Tensor tensor_of_array(nb::handle array, Place where) {
  if (holds_text(array)) return tensor_of_texts(array, where);
  const Spec spec{dtype_of_array(array), to_shape(array.attr("shape"))};
  auto storage = std::make_shared<Storage>(spec.bytes());
  const nb::ndarray<nb::ro> view = nb::cast<nb::ndarray<nb::ro>>(array);
  if (spec.bytes() > 0)
    std::memcpy(storage->data(), view.data(), static_cast<size_t>(spec.bytes()));
  return wrap(std::move(storage), spec, where);
}

nb::object shared_array(const Tensor& tensor) {
  {
    const nb::gil_scoped_release release;
    tensor.data();
  }
  switch (tensor.dtype()) {
    case DType::float32:
      return view_of<float>(tensor);
    case DType::int32:
      return view_of<int32_t>(tensor);
    case DType::int64:
      return view_of<int64_t>(tensor);
    case DType::uint8:
      return view_of<uint8_t>(tensor);
    case DType::boolean:
      return view_of<bool>(tensor);
    default:
      return array_of_texts(tensor);
  }
}

nb::object copied_array(const Tensor& tensor) {
  const nb::object shared = shared_array(tensor);
  return tensor.dtype() == DType::string ? shared : shared.attr("copy")();
}

}  // namespace plimsoll::python
