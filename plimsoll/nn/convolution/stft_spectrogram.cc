#include "plimsoll/nn/convolution/stft_spectrogram.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "plimsoll/graph/initial_values.h"
#include "plimsoll/nn/images/image_layer.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {
namespace {

constexpr double kLeast = 1e-7;  // Keras's epsilon
// A config may ask for frames of any length; the kernels have as many numbers as its square.
constexpr int64_t kLongestFrame = 1 << 14;

class STFTSpectrogramBody final : public ImageLayer<STFTSpectrogramOptions> {
 public:
  explicit STFTSpectrogramBody(const STFTSpectrogramOptions& options)
      : ImageLayer(options), padding_(padding_of(options.padding)) {}

  void validate() const {
    const auto is_one_of = [](const std::string& word, std::initializer_list<const char*> words) {
      return std::ranges::find(words, word) != words.end();
    };
    at_least(1, "frame_length", {options_.frame_length});
    if (options_.frame_length > kLongestFrame || fft_length() > kLongestFrame)
      refuse(fmt::format("frame_length and fft_length must be at most {}, found {} and {}",
                         kLongestFrame, options_.frame_length, fft_length()));
    at_least(1, "frame_step", {frame_step()});
    if (frame_step() > options_.frame_length || fft_length() < options_.frame_length)
      refuse(
          fmt::format("frame_length {} must be at least the frame_step {} and at most the "
                      "fft_length {}",
                      options_.frame_length, frame_step(), fft_length()));
    if (!is_one_of(options_.mode, {"log", "magnitude", "psd", "real", "imag", "stft"}))
      refuse("mode must be log, magnitude, psd, real, imag or stft, found '" + options_.mode + "'");
    if (options_.window && !is_one_of(*options_.window, {"hann", "hamming"}))
      refuse("window must be hann, hamming or none, found '" + *options_.window + "'");
    if (options_.scaling && !is_one_of(*options_.scaling, {"density", "spectrum"}))
      refuse("scaling must be density, spectrum or none, found '" + *options_.scaling + "'");
  }
  std::string_view class_name() const override { return "STFTSpectrogram"; }
  RangeEffect range_effect() const override { return RangeEffect::multiplies(); }

  void build(const Specs&) override {
    if (options_.mode != "imag") real_ = add_waves("real_kernel", std::numbers::pi / 2);
    if (options_.mode != "real") imag_ = add_waves("imag_kernel", 0);
  }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor x = as_float(inputs[0]);
    if (options_.mode == "real") return {arranged(transformed(x, real_))};
    if (options_.mode == "imag") return {arranged(transformed(x, imag_))};
    const Tensor real = transformed(x, real_), imag = transformed(x, imag_);
    if (options_.mode == "stft") return {arranged(concatenate({real, imag}, -1))};
    const Tensor power = square(real) + square(imag);
    if (options_.mode == "psd") {
      const Tensor inner = slice(power, {0, 0, 0, 1}, {-1, -1, -1, power.shape().back() - 2});
      return {arranged(power + pad(inner, {{0, 0}, {0, 0}, {0, 0}, {1, 1}}))};
    }
    const Tensor magnitude = arranged(sqrt(maximum(power, kLeast)));
    return {options_.mode == "log" ? log(maximum(magnitude, kLeast)) : magnitude};
  }

 protected:
  void check(const Specs& inputs) const override { expect_rows(inputs); }

 private:
  int64_t frame_step() const {
    return options_.frame_step.value_or(std::max<int64_t>(options_.frame_length / 2, 1));
  }
  int64_t fft_length() const {
    return options_.fft_length.value_or(
        static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(options_.frame_length))));
  }

  std::vector<double> window() const {
    const int64_t length = options_.frame_length;
    std::vector<double> values(static_cast<size_t>(length), 1.0);
    const auto period = static_cast<double>(options_.periodic ? length : length - 1);
    if (!options_.window || length == 1) return values;
    const double raised = *options_.window == "hann" ? 0.5 : 0.54;
    for (size_t i = 0; i < values.size(); ++i)
      values[i] =
          raised - (1 - raised) * std::cos(2 * std::numbers::pi * static_cast<double>(i) / period);
    return values;
  }

  // sin(phase - 2 pi t f / length) for each step t of a frame and each frequency f, in the window.
  Variable add_waves(const char* name, double phase) {
    const int64_t bins = fft_length() / 2 + 1;
    Variable kernel = add_weight(
        {.name = name, .shape = {options_.frame_length, 1, bins}, .initializer = "zeros"});
    std::vector<double> weights = window();
    double scale = 1;
    if (options_.window && options_.scaling) {
      const bool is_density = *options_.scaling == "density";
      scale = 0;
      for (const double w : weights) scale += is_density ? w * w : std::abs(w);
      if (is_density) scale = std::sqrt(scale);
    }
    const auto length = static_cast<double>(2 * (bins - 1));
    fill_initially([kernel, weights, scale, length, phase, bins]() mutable {
      std::vector<float> values;
      for (size_t t = 0; t < weights.size(); ++t)
        for (int64_t f = 0; f < bins; ++f)
          values.push_back(
              static_cast<float>(weights[t] / scale *
                                 std::sin(phase - 2 * std::numbers::pi * static_cast<double>(t) *
                                                      static_cast<double>(f) / length)));
      kernel.set(values);
    });
    return kernel;
  }

  // (batch, channels, frames, frequencies)
  Tensor transformed(const Tensor& x, const Variable& kernel) const {
    const Shape& shape = x.shape();
    const Tensor rows = reshape(transpose(x, {0, 2, 1}), {-1, 1, shape[1], 1});
    const Tensor y =
        conv2d(rows, as_image_kernel(kernel), {.strides = {1, frame_step()}, .padding = padding_});
    return reshape(y, {-1, shape[2], y.shape()[2], y.shape()[3]});
  }
  Tensor arranged(const Tensor& y) const {
    if (options_.expand_dims) return transpose(y, {0, 2, 3, 1});
    const Shape& shape = y.shape();
    return reshape(transpose(y, {0, 2, 1, 3}), {-1, shape[2], shape[1] * shape[3]});
  }

  Padding padding_;
  Variable real_, imag_;
};

}  // namespace

void describe(Fields& fields, STFTSpectrogramOptions& options) {
  fields.with("mode", options.mode)
      .with("frame_length", options.frame_length)
      .with("frame_step", options.frame_step)
      .with("fft_length", options.fft_length)
      .with("window", options.window)
      .with("periodic", options.periodic)
      .with("scaling", options.scaling)
      .with("padding", options.padding)
      .only("data_format", "channels_last")
      .with("expand_dims", options.expand_dims);
}

STFTSpectrogram::STFTSpectrogram(const STFTSpectrogramOptions& options)
    : Layer(make_layer<STFTSpectrogramBody>(options)) {}

}  // namespace plimsoll
