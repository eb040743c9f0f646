#include <algorithm>
#include <cstring>
#include <vector>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/convolution/depthwise.h"
#include "plimsoll/kernels/convolution/depthwise_loops.h"

namespace plimsoll::kernels {
namespace {

constexpr int64_t kForkProducts = 1 << 17;  // below, one thread is as fast
constexpr int64_t kUnits = 64;              // of work, for threads to share
constexpr int64_t kPackedFloats = 8 << 10;  // of x, that the caches hold beside dy
constexpr int64_t kPlainLanes = 16;         // a line of the cache

int64_t aligned(int64_t floats) {
  return (floats + 15) / 16 * 16;
}

// Images as chunks of channels that lie side by side: distances from one to the next, in floats.
struct Chunks {
  int64_t image, chunk, row, pixel;

  Chunks(int64_t rows, int64_t columns, int64_t channels, int64_t lanes, bool plain)
      : image(rows * columns * channels),
        chunk(plain ? lanes : rows * columns * lanes),
        row(columns * (plain ? channels : lanes)),
        pixel(plain ? channels : lanes) {}
};

void copy_pixels(const float* from, int64_t from_step, int64_t count, int64_t width, float* to,
                 int64_t to_step) {
  if (width == from_step && width == to_step) {
    std::copy_n(from, count * width, to);
    return;
  }
  for (int64_t i = 0; i < count; ++i, from += from_step, to += to_step)
    if (width == kPlainLanes)
      std::memcpy(to, from, kPlainLanes * sizeof(float));
    else
      std::copy_n(from, width, to);
}

// Sums over all windows, for each tap of each channel. The images, cut into bands of rows, fall
// into groups, whatever the number of threads; each group is summed by itself, and the groups are
// added in order. A band is copied with its padding, so that all windows have all taps.
class DepthwiseKernelGradient final : public Kernel {
 public:
  DepthwiseKernelGradient(const ConvolutionProblem& p, Layout layout, bool bias)
      : p_(p),
        lanes_(!layout.is_plain() ? layout.channel_block
               : p.channels <= 8  ? 8
                                  : kPlainLanes),
        chunks_((p.channels + lanes_ - 1) / lanes_),
        x_(p.rows.input, p.columns.input, p.channels, lanes_, layout.is_plain()),
        dy_(p.rows.output, p.columns.output, p.channels, lanes_, layout.is_plain()),
        bias_(bias) {
    packed_columns_ = (p.columns.output - 1) * p.columns.stride + span(p.columns);
    const bool padded = p.rows.before + p.rows.after + p.columns.before + p.columns.after > 0;
    packs_x_ = padded || x_.pixel != lanes_;
    packs_dy_ = dy_.pixel != lanes_;
    const int64_t row = packs_x_ ? packed_columns_ * lanes_ : x_.row;
    band_ = std::clamp<int64_t>(kPackedFloats / (row * p.rows.stride), 1, p.rows.output);
    for (int64_t r = 0; r < p.rows.size; ++r)
      for (int64_t c = 0; c < p.columns.size; ++c)
        places_.push_back(r * p.rows.dilation * row + c * p.columns.dilation * lanes_);
    products_ = {.places = places_,
                 .lanes = lanes_,
                 .columns = p.columns.output,
                 .x_row = p.rows.stride * row,
                 .x_column = p.columns.stride * lanes_,
                 .dy_row = p.columns.output * lanes_};
    pieces_ = p.batch * bands();
    groups_ = std::clamp<int64_t>(kUnits / chunks_, 1, pieces_);
    const int64_t products = dy_.image * p.batch * static_cast<int64_t>(places_.size());
    parts_ = products < kForkProducts ? 1 : std::min<int64_t>(thread_count(), groups_ * chunks_);
  }

  int64_t scratch_bytes() const override {
    return (aligned(groups_ * chunks_ * sums()) + parts_ * part_floats()) * int64_t{sizeof(float)};
  }

  void run(const KernelArguments& arguments) const override {
    float* groups = reinterpret_cast<float*>(arguments.scratch);
    float* own = groups + aligned(groups_ * chunks_ * sums());
    const int64_t units = groups_ * chunks_;
    parallel_for(parts_, 1, [&](int64_t begin, int64_t end) {
      for (int64_t part = begin; part < end; ++part) {
        std::fill_n(own + part * part_floats(), part_floats(), 0.0f);
        for (int64_t i = units * part / parts_; i < units * (part + 1) / parts_; ++i)
          add_group(i, arguments, groups + i * sums(), own + part * part_floats());
      }
    });
    for (size_t tap = 0; tap < places_.size(); ++tap)
      add_up(groups, static_cast<int64_t>(tap),
             arguments.output(0) + static_cast<int64_t>(tap) * p_.channels);
    if (bias_) add_up(groups, static_cast<int64_t>(places_.size()), arguments.output(1));
  }

 private:
  static int64_t span(const WindowAxis& axis) { return (axis.size - 1) * axis.dilation + 1; }
  int64_t bands() const { return (p_.rows.output + band_ - 1) / band_; }
  // The floats of a unit's sums, the bias's last, and of what a part packs.
  int64_t sums() const { return static_cast<int64_t>(places_.size() + 1) * lanes_; }
  int64_t packed_x() const {
    const int64_t rows = (band_ - 1) * p_.rows.stride + span(p_.rows);
    return packs_x_ ? aligned(rows * packed_columns_ * lanes_) : 0;
  }
  int64_t part_floats() const {
    return packed_x() + (packs_dy_ ? aligned(band_ * p_.columns.output * lanes_) : 0);
  }
  int64_t width(int64_t chunk) const { return std::min(lanes_, p_.channels - chunk * lanes_); }

  void add_group(int64_t unit, const KernelArguments& arguments, float* total, float* own) const {
    const int64_t chunk = unit % chunks_, group = unit / chunks_;
    std::fill_n(total, sums(), 0.0f);
    for (int64_t piece = pieces_ * group / groups_; piece < pieces_ * (group + 1) / groups_;
         ++piece) {
      const int64_t image = piece / bands(), first = piece % bands() * band_;
      DepthwiseProducts products = products_;
      products.rows = std::min(band_, p_.rows.output - first);
      const float* x = arguments.input(0) + image * x_.image + chunk * x_.chunk;
      const float* dy =
          arguments.input(1) + image * dy_.image + chunk * dy_.chunk + first * dy_.row;
      products.x =
          packs_x_ ? pack_x(x, first, width(chunk), own) : x + first * p_.rows.stride * x_.row;
      products.dy = dy;
      if (packs_dy_) {
        copy_pixels(dy, dy_.pixel, products.rows * p_.columns.output, width(chunk),
                    own + packed_x(), lanes_);
        products.dy = own + packed_x();
      }
      depthwise_products(products, bias_, total);
    }
  }

  // Copies the rows that the windows of rows [first, first + band) read; the padding beside the
  // rows is already in place.
  const float* pack_x(const float* x, int64_t first, int64_t width, float* to) const {
    const int64_t start = p_.rows.start(first), row = packed_columns_ * lanes_;
    const int64_t last = std::min(first + band_, p_.rows.output) - 1;
    const int64_t columns = std::min(p_.columns.input, packed_columns_ - p_.columns.before);
    for (int64_t r = start; r < p_.rows.start(last) + span(p_.rows); ++r) {
      float* place = to + (r - start) * row + p_.columns.before * lanes_;
      if (r < 0 || r >= p_.rows.input)
        std::fill_n(place, columns * lanes_, 0.0f);
      else
        copy_pixels(x + r * x_.row, x_.pixel, columns, width, place, lanes_);
    }
    return to;
  }

  void add_up(const float* groups, int64_t tap, float* to) const {
    for (int64_t channel = 0; channel < p_.channels; ++channel) {
      const float* from = groups + channel / lanes_ * sums() + tap * lanes_ + channel % lanes_;
      float sum = 0;
      for (int64_t group = 0; group < groups_; ++group) sum += from[group * chunks_ * sums()];
      to[channel] = sum;
    }
  }

  ConvolutionProblem p_;
  int64_t lanes_, chunks_;
  Chunks x_, dy_;
  bool bias_;
  bool packs_x_ = true, packs_dy_ = true;
  int64_t packed_columns_ = 0;
  int64_t band_ = 1;             // rows of windows that are summed in registers
  std::vector<int64_t> places_;  // of the taps
  DepthwiseProducts products_;   // but for pointers and rows
  int64_t pieces_ = 0, groups_ = 1, parts_ = 1;
};

}  // namespace

KernelPtr make_depthwise_kernel_gradient(const KernelRequest& request,
                                         const ConvolutionProblem& problem, bool bias) {
  return std::make_unique<DepthwiseKernelGradient>(problem, request.input_layouts[0], bias);
}

}  // namespace plimsoll::kernels
