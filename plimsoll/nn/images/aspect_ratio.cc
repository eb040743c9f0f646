#include "plimsoll/nn/images/aspect_ratio.h"

#include <algorithm>

#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

// The height that goes with `width` at the aspect ratio of `size`, and the other way round.
int64_t matching(int64_t length, int64_t wanted, int64_t other) {
  return static_cast<int64_t>(static_cast<float>(length * wanted) / static_cast<float>(other));
}

}  // namespace

Tensor crop_to_aspect_ratio(const Tensor& images, std::array<int64_t, 2> size) {
  const int64_t height = images.shape()[1], width = images.shape()[2];
  const int64_t rows = std::max<int64_t>(std::min(height, matching(width, size[0], size[1])), 1);
  const int64_t columns = std::max<int64_t>(std::min(width, matching(height, size[1], size[0])), 1);
  if (rows == height && columns == width) return images;
  return slice(images, {0, (height - rows) / 2, (width - columns) / 2, 0}, {-1, rows, columns, -1});
}

Tensor pad_to_aspect_ratio(const Tensor& images, std::array<int64_t, 2> size, double fill_value) {
  const int64_t height = images.shape()[1], width = images.shape()[2];
  const int64_t rows = std::max<int64_t>(matching(width, size[0], size[1]) - height, 0) / 2;
  const int64_t columns = std::max<int64_t>(matching(height, size[1], size[0]) - width, 0) / 2;
  if (rows == 0 && columns == 0) return images;
  return pad(images, {{0, 0}, {rows, rows}, {columns, columns}, {0, 0}}, fill_value);
}

}  // namespace plimsoll
