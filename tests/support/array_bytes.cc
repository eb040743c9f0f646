#include "tests/support/array_bytes.h"

#include <cstring>

namespace plimsoll::testing {

Array read_array(const Spec& spec, Layout layout, const std::byte* from) {
  Array array(spec);
  visit_dtype(spec.dtype, [&](auto zero) {
    auto element = zero;
    for (int64_t i = 0; i < spec.shape.elements(); ++i) {
      const int64_t offset = offset_of(i, spec.shape, layout) * size_of(spec.dtype);
      std::memcpy(&element, from + offset, sizeof element);
      array[i] = static_cast<double>(element);
    }
  });
  return array;
}

void write_array(const Array& array, Layout layout, std::byte* to) {
  const Spec& spec = array.spec;
  visit_dtype(spec.dtype, [&](auto zero) {
    for (int64_t i = 0; i < spec.shape.elements(); ++i) {
      const auto element = static_cast<decltype(zero)>(array[i]);
      const int64_t offset = offset_of(i, spec.shape, layout) * size_of(spec.dtype);
      std::memcpy(to + offset, &element, sizeof element);
    }
  });
}

}  // namespace plimsoll::testing
