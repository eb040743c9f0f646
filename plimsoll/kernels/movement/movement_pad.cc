#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/movement/movement.h"
#include "plimsoll/kernels/movement/stored_shape.h"

namespace plimsoll::kernels {
namespace {

// Writes the output row by row, each element once. A row is the last padded axis and all after it.
template <class T>
class Pad final : public Kernel {
 public:
  Pad(const Shape& in, std::span<const std::pair<int64_t, int64_t>> paddings, double value)
      : value_(static_cast<T>(value)) {
    int last = in.rank() - 1;
    while (last > 0 && paddings[static_cast<size_t>(last)] == std::pair<int64_t, int64_t>()) --last;
    const int64_t inner = last < 0 ? 1 : in.elements(last + 1, in.rank());
    if (last >= 0) {
      const auto [before, after] = paddings[static_cast<size_t>(last)];
      before_ = before * inner, inside_ = in[last] * inner, after_ = after * inner;
    }
    for (int i = 0; i < last; ++i) {
      const auto [before, after] = paddings[static_cast<size_t>(i)];
      outer_[static_cast<size_t>(outer_rank_++)] = {before, in[i], before + in[i] + after};
      rows_ *= before + in[i] + after;
    }
  }

  void run(const KernelArguments& arguments) const override {
    constexpr int64_t kGrainBytes = 128 * 1024;
    const int64_t width = before_ + inside_ + after_;
    const T* x = arguments.input<T>(0);
    T* y = arguments.output<T>(0);
    if (width == 0) return;
    parallel_for(rows_, kGrainBytes / (width * static_cast<int64_t>(sizeof(T))) + 1,
                 [=, this](int64_t begin, int64_t end) {
                   for (int64_t row = begin; row < end; ++row)
                     write_row(x, source_row(row), y + row * width);
                 });
  }

 private:
  struct Axis {
    int64_t before, inside, size;
  };

  // The row of the input that row `row` of the output holds, or -1.
  int64_t source_row(int64_t row) const {
    int64_t source = 0, step = 1;
    for (int i = outer_rank_; i-- > 0;) {
      const Axis& axis = outer_[static_cast<size_t>(i)];
      const int64_t at = row % axis.size - axis.before;
      if (at < 0 || at >= axis.inside) return -1;
      source += at * step;
      step *= axis.inside;
      row /= axis.size;
    }
    return source;
  }

  void write_row(const T* x, int64_t source, T* y) const {
    if (source < 0) {
      std::fill_n(y, before_ + inside_ + after_, value_);
      return;
    }
    std::fill_n(y, before_, value_);
    std::copy_n(x + source * inside_, inside_, y + before_);
    std::fill_n(y + before_ + inside_, after_, value_);
  }

  T value_;
  std::array<Axis, Shape::kMaxRank> outer_{};
  int outer_rank_ = 0;
  int64_t rows_ = 1;
  int64_t before_ = 0, inside_ = 1, after_ = 0;  // of a row, in elements
};

}  // namespace

KernelPtr make_pad(const KernelRequest& request,
                   std::span<const std::pair<int64_t, int64_t>> paddings, double value) {
  using Pair = std::pair<int64_t, int64_t>;
  const Layout layout = request.input_layouts[0];
  const auto stored = stored_numbers(std::vector<Pair>(paddings.begin(), paddings.end()), layout,
                                     Pair(), [](const Pair& pair, int64_t block) {
                                       return Pair(pair.first / block, pair.second / block);
                                     });
  return visit_dtype(request.inputs[0].dtype, [&](auto zero) -> KernelPtr {
    return std::make_unique<Pad<decltype(zero)>>(stored_shape(request.inputs[0].shape, layout),
                                                 stored, value);
  });
}

}  // namespace plimsoll::kernels
