#include "python/bindings/arrays.h"

#include <nanobind/ndarray.h>

#include "plimsoll/base/error.h"
#include "plimsoll/ops/text/text.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll::python {
namespace {

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

// NumPy tells booleans from bytes.
template <class Visitor>
nb::object visit_element(DType dtype, const Visitor& visitor) {
  return dtype == DType::boolean ? visitor(bool{}) : visit_dtype(dtype, visitor);
}

// An array on memory that `kept` keeps; of a const T it may not be written.
template <class T, class Kept>
nb::object array_on(T* data, const Shape& shape, Kept kept) {
  auto* held = new Kept(std::move(kept));
  const nb::capsule owner(held, [](void* it) noexcept { delete static_cast<Kept*>(it); });
  const std::vector<size_t> sizes(shape.begin(), shape.end());
  return nb::cast(nb::ndarray<nb::numpy, T>(data, sizes.size(), sizes.data(), owner));
}

// Numbers of any type and stride, cast into their place: no array between holds all of them.
Tensor tensor_of_numbers(nb::handle array, DType dtype, Place where) {
  const Spec spec{dtype, to_shape(array.attr("shape"))};
  auto storage = std::make_shared<Storage>(spec.bytes());
  const nb::object into = visit_element(dtype, [&]<class T>(T) {
    return array_on(reinterpret_cast<T*>(storage->data()), spec.shape, storage);
  });
  numpy().attr("copyto")(into, array, "unsafe");
  return wrap(std::move(storage), spec, where);
}

void compute(const Tensor& tensor) {
  const nb::gil_scoped_release release;
  tensor.data();
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

nb::object array_of(nb::handle object) {
  nb::object array = numpy().attr("asarray")(object);
  // NumPy's own texts lose zero bytes at their ends.
  if (nb::cast<std::string>(array.attr("dtype").attr("kind")) == "S" && !array.is(object))
    array = numpy().attr("asarray")(object, "object");
  return array;
}

Tensor tensor_of_array(nb::handle array, std::optional<DType> dtype, Place where) {
  const bool is_text = holds_text(array);
  if (is_text && dtype.value_or(DType::string) == DType::string)
    return tensor_of_texts(array, where);
  const bool is_cast = dtype && *dtype != DType::string;
  return tensor_of_numbers(array, is_cast ? *dtype : dtype_of_array(array), where);
}

nb::object shared_array(const Tensor& tensor) {
  compute(tensor);
  if (tensor.dtype() == DType::string) return array_of_texts(tensor);
  return visit_element(tensor.dtype(), [&]<class T>(T) {
    return array_on(reinterpret_cast<const T*>(tensor.data()), tensor.shape(), tensor);
  });
}

nb::object writable_array(const Tensor& tensor) {
  compute(tensor);
  if (tensor.dtype() == DType::string) return array_of_texts(tensor);
  return visit_element(tensor.dtype(), [&]<class T>(T) {
    // A value is never written by the engine, which hands it out as const for that reason alone.
    auto* data = const_cast<std::byte*>(tensor.data());
    return array_on(reinterpret_cast<T*>(data), tensor.shape(), tensor);
  });
}

nb::object copied_array(const Tensor& tensor) {
  const nb::object shared = shared_array(tensor);
  return tensor.dtype() == DType::string ? shared : shared.attr("copy")();
}

}  // namespace plimsoll::python
