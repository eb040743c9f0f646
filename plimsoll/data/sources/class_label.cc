#include "plimsoll/data/sources/class_label.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "plimsoll/base/error.h"

namespace plimsoll {

Spec class_label_field(LabelMode mode, int64_t classes, const std::string& path) {
  if (mode == LabelMode::categorical) return {DType::float32, {classes}};
  if (mode == LabelMode::integer) return {DType::int32, {}};
  if (classes != 2)
    throw InvalidArgument(
        fmt::format("{}: binary labels need exactly 2 classes, found {}", path, classes));
  return {DType::float32, {1}};
}

void write_class_label(LabelMode mode, int64_t label, int64_t classes, std::byte* into) {
  if (mode == LabelMode::integer) {
    const auto number = static_cast<int32_t>(label);
    std::memcpy(into, &number, sizeof number);
    return;
  }
  auto* numbers = reinterpret_cast<float*>(into);
  if (mode == LabelMode::binary) {
    numbers[0] = static_cast<float>(label);
    return;
  }
  std::fill_n(numbers, classes, 0.0f);
  numbers[label] = 1;
}

}  // namespace plimsoll
