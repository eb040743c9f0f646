#include "plimsoll/data/images/image_regions.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

// In float32, as there: a size that just misses a whole number must do so here too.
int64_t side_for(int64_t other_side, int64_t to, int64_t other_to) {
  return static_cast<int64_t>(static_cast<float>(other_side * to) / static_cast<float>(other_to));
}

struct Padding {
  int64_t before = 0, inside = 0;
};

Padding padding(int64_t side, int64_t to, float ratio) {
  const float resized = static_cast<float>(side) / ratio;
  const float before = std::floor((static_cast<float>(to) - resized) / 2);
  const int64_t inside = std::clamp<int64_t>(static_cast<int64_t>(resized), 1, to);
  return {std::clamp<int64_t>(static_cast<int64_t>(before), 0, to - inside), inside};
}

}  // namespace

ImageRegions stretch_to(ImageBox image, std::array<int64_t, 2> size) {
  return {image, {0, 0, size[0], size[1]}};
}

ImageRegions crop_to(ImageBox image, std::array<int64_t, 2> size) {
  ImageBox from = image;
  from.height = std::clamp<int64_t>(side_for(image.width, size[0], size[1]), 1, image.height);
  from.width = std::clamp<int64_t>(side_for(image.height, size[1], size[0]), 1, image.width);
  from.top += (image.height - from.height) / 2;
  from.left += (image.width - from.width) / 2;
  return {from, {0, 0, size[0], size[1]}};
}

ImageRegions pad_to(ImageBox image, std::array<int64_t, 2> size) {
  const float ratio = std::max(static_cast<float>(image.width) / static_cast<float>(size[1]),
                               static_cast<float>(image.height) / static_cast<float>(size[0]));
  const Padding rows = padding(image.height, size[0], ratio);
  const Padding columns = padding(image.width, size[1], ratio);
  return {image, {rows.before, columns.before, rows.inside, columns.inside}};
}

}  // namespace plimsoll
