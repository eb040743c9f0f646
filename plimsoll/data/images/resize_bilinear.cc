#include "plimsoll/data/images/resize_rows.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "plimsoll/kernels/images/image_row.h"

namespace plimsoll {
namespace {

// An output lies between the inputs `lower` and `lower` + 1.
struct Between {
  int64_t lower = 0;
  float share = 0;  // of input `lower` + 1
};

Between between(int64_t i, int64_t from, float scale) {
  const float at = (static_cast<float>(i) + 0.5f) * scale - 0.5f;
  if (at <= 0 || from == 1) return {0, 0};
  const auto lower = static_cast<int64_t>(at);
  if (lower >= from - 1) return {from - 2, 1};
  return {lower, at - static_cast<float>(lower)};
}

class BilinearRows final : public ResizeRows {
 public:
  explicit BilinearRows(const ResizeProblem& problem)
      : problem_(problem), rows_scale_(problem.rows_scale()) {
    const float scale = problem.columns_scale();
    columns_.reserve(static_cast<size_t>(problem.to_width));
    for (int64_t x = 0; x < problem.to_width; ++x) {
      const Between place = between(x, problem.from_width, scale);
      columns_.push_back({place.lower * problem.channels, place.share});
    }
    for (auto& row : stretched_) row.resize(static_cast<size_t>(row_elements()));
    next_ = place(0);
  }

  void add(int64_t y, const uint8_t* row) override {
    if (next_output_ == problem_.to_height || next_.lower > y) return;
    stretch(row, stretched_[static_cast<size_t>(y % 2)]);
    // A single row has no neighbour, so it takes the neighbour's place too.
    if (problem_.from_height == 1) stretched_[1] = stretched_[0];
    const int64_t last = std::max<int64_t>(y, problem_.from_height == 1);
    while (next_output_ < problem_.to_height && next_.lower + 1 == last) write(last);
  }

 private:
  int64_t row_elements() const { return problem_.to_width * problem_.channels; }
  Between place(int64_t i) const { return between(i, problem_.from_height, rows_scale_); }

  void stretch(const uint8_t* row, std::vector<float>& into) const {
    const auto channels = static_cast<size_t>(problem_.channels);
    if (problem_.from_width > 1) {
      const std::span pixels(row, static_cast<size_t>(problem_.from_width) * channels);
      kernels::stretch_image_row(pixels, columns_, problem_.channels, into.data());
      return;
    }
    // A single pixel has no neighbour, so it takes the neighbour's place too.
    std::array<uint8_t, 8> twice{};
    std::copy_n(row, channels, twice.begin());
    std::copy_n(row, channels, twice.begin() + channels);
    kernels::stretch_image_row(twice, columns_, problem_.channels, into.data());
  }

  void write(int64_t y) {
    const float* top = stretched_[static_cast<size_t>((y + 1) % 2)].data();
    const float* bottom = stretched_[static_cast<size_t>(y % 2)].data();
    kernels::blend_image_rows(top, bottom, next_.share, row_elements(),
                              problem_.into + next_output_ * problem_.into_stride);
    if (++next_output_ < problem_.to_height) next_ = place(next_output_);
  }

  ResizeProblem problem_;
  float rows_scale_;
  std::vector<kernels::StretchColumn> columns_;
  std::array<std::vector<float>, 2> stretched_;  // row y in that of y % 2
  int64_t next_output_ = 0;                      // the row to be written next
  Between next_;                                 // the rows of the image that it lies between
};

}  // namespace

std::unique_ptr<ResizeRows> resize_bilinear_rows(const ResizeProblem& problem) {
  return std::make_unique<BilinearRows>(problem);
}

}  // namespace plimsoll
