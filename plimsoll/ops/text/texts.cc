#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/ops/text/text.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {

Tensor texts(std::span<const std::string> values, const Shape& shape, Place where) {
  if (shape.elements() != std::ssize(values))
    throw InvalidArgument(
        fmt::format("texts: {} texts do not fill the shape {}", values.size(), shape.to_string()));
  size_t longest = 0;
  for (const std::string& value : values) longest = std::max(longest, value.size());
  Spec spec{DType::string, shape};
  spec.shape.push_back(slot_for(static_cast<int64_t>(longest)));
  const int64_t slot = slot_bytes(spec);
  auto storage = std::make_shared<Storage>(spec.bytes());
  for (size_t i = 0; i < values.size(); ++i)
    write_text(values[i], storage->data() + static_cast<int64_t>(i) * slot, slot);
  return wrap(std::move(storage), spec, where);
}

std::vector<std::string> to_texts(const Tensor& tensor) {
  if (tensor.dtype() != DType::string)
    throw InvalidArgument("to_texts: expected strings, found " + tensor.spec().to_string());
  const int64_t slot = slot_bytes(tensor.spec());
  std::vector<std::string> found;
  for (int64_t i = 0; i < shape_of_elements(tensor.spec()).elements(); ++i)
    found.emplace_back(text_in(tensor.data() + i * slot, slot));
  return found;
}

}  // namespace plimsoll
