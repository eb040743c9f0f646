// What DepthwiseConv1D/2D and SeparableConv1D/2D share: a convolution of each channel by itself.
#pragma once

#include <array>

#include "plimsoll/nn/images/image_layer.h"
#include "plimsoll/nn/size2d.h"

namespace plimsoll {

template <class Options>
class DepthwiseLayer : public ImageLayer<Options> {
 public:
  // True for layers over (batch, steps, channels), false for layers over images.
  static constexpr bool kRows = std::is_same_v<decltype(Options::kernel_size), int64_t>;

  explicit DepthwiseLayer(const Options& options)
      : ImageLayer<Options>(options), padding_(padding_of(options.padding)) {}

  void validate() const {
    const Options& o = this->options_;
    this->at_least(1, "depth_multiplier", {o.depth_multiplier});
    const auto both = [&](const char* what, const auto& size) {
      const auto [height, width] = pair(size);
      this->at_least(1, what, {height, width});
    };
    both("kernel_size", o.kernel_size);
    both("strides", o.strides);
    both("dilation_rate", o.dilation_rate);
  }
  RangeEffect range_effect() const override { return RangeEffect::multiplies(); }

 protected:
  void check(const Specs& inputs) const override {
    if (kRows)
      this->expect_rows(inputs);
    else
      this->expect_images(inputs);
    if (this->built()) this->expect_channels(inputs[0].shape, channels_);
  }

  // The kernel's shape for this many channels, a number that the layer remembers.
  Shape kernel_shape(int64_t channels) {
    channels_ = channels;
    const auto [height, width] = pair(this->options_.kernel_size);
    const int64_t multiplier = this->options_.depth_multiplier;
    return kRows ? Shape{width, channels, multiplier} : Shape{height, width, channels, multiplier};
  }

  // As our convolutions want it: (height, width, 1, filters), a view.
  Tensor grouped_kernel(const Variable& kernel) const {
    const auto [height, width] = pair(this->options_.kernel_size);
    return reshape(kernel, {height, width, 1, channels_ * this->options_.depth_multiplier});
  }

  ConvolutionOptions convolution() const {
    return {.strides = pair(this->options_.strides),
            .padding = padding_,
            .dilation_rate = pair(this->options_.dilation_rate),
            .groups = channels_};
  }

 private:
  static std::array<int64_t, 2> pair(int64_t width) { return {1, width}; }
  static std::array<int64_t, 2> pair(const Size2D& size) { return size.values(); }

  Padding padding_;
  int64_t channels_ = 0;
};

}  // namespace plimsoll
