#include "plimsoll/data/images/resize_rows.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace plimsoll {
namespace {

// Output i covers [begin, end) of an axis.
struct Cover {
  float begin = 0, end = 0;
  int64_t first = 0, last = 0;  // of the pixels that it touches

  float weight(int64_t pixel) const {
    const auto left = static_cast<float>(pixel);
    return std::max(0.0f, std::min(left + 1, end) - std::max(left, begin));
  }
};

Cover cover(int64_t i, int64_t from, float scale) {
  Cover cover{static_cast<float>(i) * scale, static_cast<float>(i + 1) * scale};
  cover.first = std::min(static_cast<int64_t>(cover.begin), from - 1);
  cover.last = std::clamp(static_cast<int64_t>(std::ceil(cover.end)) - 1, cover.first, from - 1);
  return cover;
}

class AreaRows final : public ResizeRows {
 public:
  explicit AreaRows(const ResizeProblem& problem)
      : problem_(problem),
        rows_scale_(problem.rows_scale()),
        columns_scale_(problem.columns_scale()) {
    for (int64_t x = 0; x < problem.to_width; ++x) {
      const Cover columns = cover(x, problem.from_width, columns_scale_);
      firsts_.push_back(columns.first);
      for (int64_t i = columns.first; i <= columns.last; ++i) weights_.push_back(columns.weight(i));
      ends_.push_back(weights_.size());
    }
    sums_.resize(static_cast<size_t>(problem.to_width * problem.channels));
  }

  void add(int64_t y, const uint8_t* row) override {
    bool is_summed = false;
    for (int64_t i = next_; i < problem_.to_height; ++i) {
      const Cover rows = cover(i, problem_.from_height, rows_scale_);
      if (rows.first > y) break;
      if (!is_summed) sum_columns(row);
      is_summed = true;
      write(i, rows.weight(y) / (rows_scale_ * columns_scale_), rows.first == y);
      if (rows.last == y) next_ = i + 1;
    }
  }

 private:
  void sum_columns(const uint8_t* row) {
    const int64_t channels = problem_.channels;
    std::ranges::fill(sums_, 0.0f);
    size_t weight = 0;
    float* sums = sums_.data();
    for (size_t x = 0; x < firsts_.size(); ++x, sums += channels) {
      const uint8_t* pixel = row + firsts_[x] * channels;
      for (; weight < ends_[x]; ++weight, pixel += channels)
        for (int64_t c = 0; c < channels; ++c) sums[c] += weights_[weight] * pixel[c];
    }
  }

  void write(int64_t i, float weight, bool is_first) {
    float* into = problem_.into + i * problem_.into_stride;
    for (size_t k = 0; k < sums_.size(); ++k)
      into[k] = (is_first ? 0.0f : into[k]) + weight * sums_[k];
  }

  ResizeProblem problem_;
  float rows_scale_, columns_scale_;
  std::vector<int64_t> firsts_;  // of each output column's pixels
  std::vector<size_t> ends_;     // of its weights
  std::vector<float> weights_;
  std::vector<float> sums_;  // of a row's pixels, for each output column
  int64_t next_ = 0;         // rows before it are whole
};

}  // namespace

std::unique_ptr<ResizeRows> resize_area_rows(const ResizeProblem& problem) {
  return std::make_unique<AreaRows>(problem);
}

}  // namespace plimsoll
