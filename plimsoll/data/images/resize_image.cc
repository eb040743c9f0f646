#include "plimsoll/data/images/resize_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

ImageRegions regions_for(const ResizeOptions& options, int64_t height, int64_t width) {
  const ImageBox image{0, 0, height, width};
  if (options.crop_to_aspect_ratio) return crop_to(image, options.size);
  if (options.pad_to_aspect_ratio) return pad_to(image, options.size);
  return stretch_to(image, options.size);
}

}  // namespace

void check_resize(const ResizeOptions& options, const std::string& name) {
  const auto [height, width] = options.size;
  if (height < 1 || width < 1)
    throw InvalidArgument(
        fmt::format("{}: expected an image_size of 1 or more, found {} x {}", name, height, width));
  if (options.crop_to_aspect_ratio && options.pad_to_aspect_ratio)
    throw InvalidArgument(name +
                          ": expected one of crop_to_aspect_ratio and pad_to_aspect_ratio, found "
                          "both; leave one out");
}

void ImageResizer::begin(int64_t height, int64_t width, int64_t channels) {
  const auto [from, to] = regions_for(options_, height, width);
  const int64_t stride = options_.size[1] * channels;
  if (to.height < options_.size[0] || to.width < options_.size[1])
    std::fill_n(into_, options_.size[0] * stride, 0.0f);
  width_ = width;
  channels_ = channels;
  from_ = from;
  rows_ = resize_rows(options_.interpolation, {.from_height = from.height,
                                               .from_width = from.width,
                                               .to_height = to.height,
                                               .to_width = to.width,
                                               .channels = channels,
                                               .into = into_ + to.top * stride + to.left * channels,
                                               .into_stride = stride});
}

void ImageResizer::add(const uint8_t* rows, int64_t count) {
  for (const int64_t end = y_ + count; y_ < end; ++y_, rows += width_ * channels_)
    if (y_ >= from_.top && y_ < from_.top + from_.height)
      rows_->add(y_ - from_.top, rows + from_.left * channels_);
}

void resize_image(const Image& image, const ResizeOptions& options, float* into) {
  ImageResizer resizer(options, into);
  resizer.begin(image.height, image.width, image.channels);
  resizer.add(image.pixels.data(), image.height);
}

}  // namespace plimsoll
