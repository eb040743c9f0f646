// Resizing of images into their slots, while they are decoded or after.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "plimsoll/data/images/image_regions.h"
#include "plimsoll/data/images/resize_rows.h"
#include "plimsoll/formats/images/image.h"

namespace plimsoll {

struct ResizeOptions {
  std::array<int64_t, 2> size = {256, 256};  // height, width
  ImageInterpolation interpolation = ImageInterpolation::bilinear;
  // What to do where the image has other proportions than `size`; at most one of them. With
  // neither, it is stretched.
  bool crop_to_aspect_ratio = false;  // its middle is taken
  bool pad_to_aspect_ratio = false;   // zeros are put around it
};

// InvalidArgument, beginning with `name`, where the options are not possible.
void check_resize(const ResizeOptions& options, const std::string& name);

// Takes an image row by row and writes floats from 0 to 255, channels together. The numbers are
// those of Keras's image_dataset_from_directory with the same options, but for rounding.
class ImageResizer final : public ImageRows {
 public:
  // `into` has room for size[0] * size[1] * channels.
  ImageResizer(const ResizeOptions& options, float* into) : options_(options), into_(into) {}

  void begin(int64_t height, int64_t width, int64_t channels) override;
  void add(const uint8_t* rows, int64_t count) override;

 private:
  ResizeOptions options_;
  float* into_;
  int64_t width_ = 0, channels_ = 0;  // of the image
  int64_t y_ = 0;                     // of its next row
  ImageBox from_;
  std::unique_ptr<ResizeRows> rows_;
};

void resize_image(const Image& image, const ResizeOptions& options, float* into);

}  // namespace plimsoll
