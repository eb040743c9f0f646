#include "plimsoll/kernels/normalization/channel_sums.h"

#include <algorithm>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/normalization/channel_piece_sums.h"

namespace plimsoll::kernels {
namespace {

constexpr int64_t kGrainFloats = 1 << 15;
constexpr int kMostResults = 2;

// Doubles from the sums of one part to those of the next: they do not share cache lines.
int64_t part_doubles(const ChannelPieces& pieces) {
  return (kMostResults * pieces.view.channels() + 7) / 8 * 8;
}

class ChannelSumKernel final : public Kernel {
 public:
  explicit ChannelSumKernel(const KernelRequest& request)
      : sums_(request.inputs[0].shape, request.input_layouts[0]),
        channels_(request.outputs[0].shape.elements()) {}

  int64_t scratch_bytes() const override {
    return sums_.scratch_bytes() + channels_ * int64_t{sizeof(double)};
  }

  void run(const KernelArguments& arguments) const override {
    auto* results = reinterpret_cast<double*>(arguments.scratch + sums_.scratch_bytes());
    sums_.sum(arguments.input(0), results, arguments.scratch);
    std::transform(results, results + channels_, arguments.output(0),
                   [](double sum) { return static_cast<float>(sum); });
  }

 private:
  ChannelSums sums_;
  int64_t channels_;
};

}  // namespace

ChannelSums::ChannelSums(const Shape& shape, Layout layout) : pieces_(shape, layout) {
  const int64_t floats = pieces_.positions() * pieces_.view.channels();
  parts_ = std::clamp<int64_t>(std::min(floats / kGrainFloats, pieces_.count), 1, thread_count());
}

int64_t ChannelSums::scratch_bytes() const {
  return parts_ * part_doubles(pieces_) * int64_t{sizeof(double)};
}

template <class PieceSums>
void ChannelSums::run(int results, double* const* to, std::byte* scratch,
                      const PieceSums& piece_sums) const {
  const int64_t channels = pieces_.view.channels();
  auto* partial = reinterpret_cast<double*>(scratch);
  parallel_for(parts_, 1, [&](int64_t first, int64_t last) {
    for (int64_t part = first; part < last; ++part) {
      double* sums = partial + part * part_doubles(pieces_);
      std::fill_n(sums, results * channels, 0.0);
      const int64_t end = pieces_.count * (part + 1) / parts_;
      for (int64_t i = pieces_.count * part / parts_; i < end; ++i)
        piece_sums(pieces_[i], sums + pieces_[i].first_channel);
    }
  });
  for (int result = 0; result < results; ++result)
    for (int64_t channel = 0; channel < channels; ++channel) {
      double sum = 0;
      for (int64_t part = 0; part < parts_; ++part)
        sum += partial[part * part_doubles(pieces_) + result * channels + channel];
      to[result][channel] = sum;
    }
}

void ChannelSums::sum(const float* a, double* sums, std::byte* scratch) const {
  run(1, &sums, scratch, [&](const ChannelPiece& piece, double* to) {
    add_piece(a + piece.offset, piece.rows, pieces_.lanes(), to);
  });
}

void ChannelSums::squared_differences(const float* a, const float* center, double* sums,
                                      std::byte* scratch) const {
  run(1, &sums, scratch, [&](const ChannelPiece& piece, double* to) {
    add_piece_squared_differences(a + piece.offset, center + piece.first_channel, piece.rows,
                                  pieces_.lanes(), to);
  });
}

void ChannelSums::products(const float* a, const float* b, const float* center, double* sums,
                           double* products, std::byte* scratch) const {
  double* const to[] = {sums, products};
  run(2, to, scratch, [&](const ChannelPiece& piece, double* first) {
    add_piece_products(a + piece.offset, b + piece.offset, center + piece.first_channel, piece.rows,
                       pieces_.lanes(), first, first + pieces_.view.channels());
  });
}

KernelPtr make_channel_sum(const KernelRequest& request) {
  return std::make_unique<ChannelSumKernel>(request);
}

}  // namespace plimsoll::kernels
