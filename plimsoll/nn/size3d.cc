#include "plimsoll/nn/size3d.h"

#include <fmt/format.h>

#include <vector>

#include "plimsoll/nn/keras/fields.h"

namespace plimsoll {

void tell_size(Fields& fields, const char* key, Size3D& value) {
  std::vector<int64_t> sizes = {value.depth, value.height, value.width};
  fields.with(key, sizes);
  if (sizes.size() == 1) sizes = {sizes[0], sizes[0], sizes[0]};
  if (sizes.size() != 3)
    fields.refuse(fmt::format("{} must be one or three numbers, found {}", key, sizes.size()));
  value = {sizes[0], sizes[1], sizes[2]};
}

}  // namespace plimsoll
