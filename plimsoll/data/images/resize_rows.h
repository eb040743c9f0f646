// Resizing row by row, as an image is decoded: one class for each interpolation.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace plimsoll {

// Without antialiasing: as tf.image.resize (pixel centres at halves) does all three.
enum class ImageInterpolation { nearest, bilinear, area };

// Reads Keras's names: "nearest", "bilinear", "area". InvalidArgument for anything else.
ImageInterpolation image_interpolation(const std::string& name);

struct ResizeProblem {
  int64_t from_height = 0, from_width = 0, to_height = 0, to_width = 0, channels = 0;
  float* into = nullptr;
  int64_t into_stride = 0;  // floats from one row to the next

  float rows_scale() const {
    return static_cast<float>(from_height) / static_cast<float>(to_height);
  }
  float columns_scale() const {
    return static_cast<float>(from_width) / static_cast<float>(to_width);
  }
};

class ResizeRows {
 public:
  virtual ~ResizeRows() = default;
  // Takes row y of the image, from 0 on, each once, and writes what can be written then.
  virtual void add(int64_t y, const uint8_t* row) = 0;
};

std::unique_ptr<ResizeRows> resize_nearest_rows(const ResizeProblem& problem);
std::unique_ptr<ResizeRows> resize_bilinear_rows(const ResizeProblem& problem);
std::unique_ptr<ResizeRows> resize_area_rows(const ResizeProblem& problem);
std::unique_ptr<ResizeRows> resize_rows(ImageInterpolation interpolation,
                                        const ResizeProblem& problem);

}  // namespace plimsoll
