#include "plimsoll/nn/convolution/adaptive_pooling.h"

#include "plimsoll/nn/images/image_layer.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

std::vector<int64_t> output_sizes(int64_t size) {
  return {size};
}
template <class Size>
std::vector<int64_t> output_sizes(const Size& size) {
  const auto values = size.values();
  return {values.begin(), values.end()};
}

// A maximum or a mean over a box is that over its axes one after another.
template <class Options, bool kMax>
class AdaptivePoolingBody final : public ImageLayer<Options> {
 public:
  explicit AdaptivePoolingBody(const Options& options)
      : ImageLayer<Options>(options), sizes_(output_sizes(options.output_size)) {}
  void validate() const {
    for (const int64_t size : sizes_) this->at_least(1, "output_size", {size});
  }
  std::string_view class_name() const override {
    constexpr std::string_view kAverages[] = {
        "AdaptiveAveragePooling1D", "AdaptiveAveragePooling2D", "AdaptiveAveragePooling3D"};
    constexpr std::string_view kMaxima[] = {"AdaptiveMaxPooling1D", "AdaptiveMaxPooling2D",
                                            "AdaptiveMaxPooling3D"};
    return (kMax ? kMaxima : kAverages)[sizes_.size() - 1];
  }
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    Tensor x = as_float(inputs[0]);
    for (size_t i = 0; i < sizes_.size(); ++i) x = pooled(x, static_cast<int>(i) + 1, sizes_[i]);
    return {x};
  }

 protected:
  void check(const Specs& inputs) const override {
    if (sizes_.size() == 1)
      this->expect_rows(inputs);
    else if (sizes_.size() == 2)
      this->expect_images(inputs);
    else
      this->expect_volumes(inputs);
  }

 private:
  static Tensor pooled(const Tensor& x, int axis, int64_t outputs) {
    const int64_t positions = x.shape()[axis];
    if (positions == outputs) return x;
    Tensors parts;
    for (int64_t i = 0; i < outputs; ++i) {
      std::vector<int64_t> begin(static_cast<size_t>(x.rank()), 0), size(begin.size(), -1);
      const auto at = static_cast<size_t>(axis);
      begin[at] = i * positions / outputs;
      size[at] = ((i + 1) * positions + outputs - 1) / outputs - begin[at];
      const Tensor part = slice(x, begin, size);
      parts.push_back(kMax ? max(part, {axis}, true) : mean(part, {axis}, true));
    }
    return concatenate(parts, axis);
  }

  std::vector<int64_t> sizes_;
};

template <class Options>
void describe_output_size(Fields& fields, Options& options) {
  tell_size(fields, "output_size", options.output_size);
  fields.only("data_format", "channels_last");
}

}  // namespace

void describe(Fields& fields, AdaptivePooling1DOptions& options) {
  describe_output_size(fields, options);
}
void describe(Fields& fields, AdaptivePooling2DOptions& options) {
  describe_output_size(fields, options);
}
void describe(Fields& fields, AdaptivePooling3DOptions& options) {
  describe_output_size(fields, options);
}

AdaptiveAveragePooling1D::AdaptiveAveragePooling1D(const AdaptivePooling1DOptions& options)
    : Layer(make_layer<AdaptivePoolingBody<AdaptivePooling1DOptions, false>>(options)) {}
AdaptiveAveragePooling2D::AdaptiveAveragePooling2D(const AdaptivePooling2DOptions& options)
    : Layer(make_layer<AdaptivePoolingBody<AdaptivePooling2DOptions, false>>(options)) {}
AdaptiveAveragePooling3D::AdaptiveAveragePooling3D(const AdaptivePooling3DOptions& options)
    : Layer(make_layer<AdaptivePoolingBody<AdaptivePooling3DOptions, false>>(options)) {}
AdaptiveMaxPooling1D::AdaptiveMaxPooling1D(const AdaptivePooling1DOptions& options)
    : Layer(make_layer<AdaptivePoolingBody<AdaptivePooling1DOptions, true>>(options)) {}
AdaptiveMaxPooling2D::AdaptiveMaxPooling2D(const AdaptivePooling2DOptions& options)
    : Layer(make_layer<AdaptivePoolingBody<AdaptivePooling2DOptions, true>>(options)) {}
AdaptiveMaxPooling3D::AdaptiveMaxPooling3D(const AdaptivePooling3DOptions& options)
    : Layer(make_layer<AdaptivePoolingBody<AdaptivePooling3DOptions, true>>(options)) {}

}  // namespace plimsoll
