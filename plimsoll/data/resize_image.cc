#include "plimsoll/data/resize_image.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

// An output coordinate stands between two input ones.
struct Between {
  int64_t lower = 0, upper = 0;
  float share = 0;  // of the upper one
};

std::vector<Between> places(int64_t from, int64_t to) {
  const float scale = static_cast<float>(from) / static_cast<float>(to);
  std::vector<Between> places(static_cast<size_t>(to));
  for (int64_t i = 0; i < to; ++i) {
    const float at = (static_cast<float>(i) + 0.5f) * scale - 0.5f;
    const float floor = std::floor(at);
    places[static_cast<size_t>(i)] = {std::max<int64_t>(0, static_cast<int64_t>(floor)),
                                      std::min(from - 1, static_cast<int64_t>(std::ceil(at))),
                                      at - floor};
  }
  return places;
}

// Stretches one row of bytes to floats.
void resize_row(const uint8_t* row, int64_t channels, const std::vector<Between>& columns,
                float* into) {
  for (const Between& x : columns) {
    const uint8_t* left = row + x.lower * channels;
    const uint8_t* right = row + x.upper * channels;
    for (int64_t c = 0; c < channels; ++c) {
      const float begin = left[c];
      *into++ = begin + (static_cast<float>(right[c]) - begin) * x.share;
    }
  }
}

// Rows of the image, stretched, the last two that were asked for: the next output row mostly stands
// between the same.
class StretchedRows {
 public:
  StretchedRows(const Image& image, const std::vector<Between>& columns)
      : image_(image), columns_(columns) {
    for (Row& row : rows_) row.values.resize(columns.size() * static_cast<size_t>(image.channels));
  }

  // Stays valid when one other row is asked for.
  const float* row(int64_t y) {
    if (rows_[1].y == y) std::swap(rows_[0], rows_[1]);
    if (rows_[0].y == y) return rows_[0].values.data();
    std::swap(rows_[0], rows_[1]);
    rows_[0].y = y;
    resize_row(image_.pixels.data() + y * image_.width * image_.channels, image_.channels, columns_,
               rows_[0].values.data());
    return rows_[0].values.data();
  }

 private:
  struct Row {
    int64_t y = -1;
    std::vector<float> values;
  };

  const Image& image_;
  const std::vector<Between>& columns_;
  Row rows_[2];
};

}  // namespace

void resize_bilinear(const Image& image, int64_t height, int64_t width, float* into) {
  const std::vector<Between> columns = places(image.width, width);
  const int64_t row_elements = width * image.channels;
  StretchedRows rows(image, columns);
  for (const Between& y : places(image.height, height)) {
    const float* top = rows.row(y.lower);
    const float* bottom = rows.row(y.upper);
    for (int64_t i = 0; i < row_elements; ++i) into[i] = top[i] + (bottom[i] - top[i]) * y.share;
    into += row_elements;
  }
}

}  // namespace plimsoll
