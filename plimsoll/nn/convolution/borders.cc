#include "plimsoll/nn/convolution/borders.h"

#include <fmt/format.h>

#include "plimsoll/nn/images/image_layer.h"

namespace plimsoll {
namespace {

// The margins of the axes between batch and channels.
std::vector<Margins> list(const Margins& margins) {
  return {margins};
}
std::vector<Margins> list(const Margins2D& margins) {
  return {margins.height, margins.width};
}

std::vector<Margins> list(const Margins3D& margins) {
  return {margins.depth, margins.height, margins.width};
}

// "1D" for rows, "2D" for images, "3D" for volumes.
template <class Options>
constexpr int axes_of() {
  if constexpr (requires(Options o) { o.padding; }) {
    using Of = decltype(Options::padding);
    return std::is_same_v<Of, Margins> ? 1 : std::is_same_v<Of, Margins2D> ? 2 : 3;
  } else {
    using Of = decltype(Options::cropping);
    return std::is_same_v<Of, Margins> ? 1 : std::is_same_v<Of, Margins2D> ? 2 : 3;
  }
}

template <class Options>
class BorderLayer : public ImageLayer<Options> {
 public:
  static constexpr int kAxes = axes_of<Options>();
  using ImageLayer<Options>::ImageLayer;
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }

 protected:
  void check(const Specs& inputs) const override {
    if constexpr (kAxes == 1)
      this->expect_rows(inputs);
    else if constexpr (kAxes == 2)
      this->expect_images(inputs);
    else
      this->expect_volumes(inputs);
  }
};

template <class Options>
class ZeroPaddingBody final : public BorderLayer<Options> {
 public:
  using BorderLayer<Options>::BorderLayer;

  void validate() const {
    for (const Margins& margins : list(this->options_.padding))
      this->at_least(0, "padding", {margins.before, margins.after});
  }
  std::string_view class_name() const override {
    constexpr std::string_view kNames[] = {"ZeroPadding1D", "ZeroPadding2D", "ZeroPadding3D"};
    return kNames[BorderLayer<Options>::kAxes - 1];
  }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    std::vector<std::pair<int64_t, int64_t>> paddings = {{0, 0}};
    for (const Margins& margins : list(this->options_.padding))
      paddings.emplace_back(margins.before, margins.after);
    paddings.emplace_back(0, 0);
    return {pad(inputs[0], std::move(paddings))};
  }
};

template <class Options>
class CroppingBody final : public BorderLayer<Options> {
 public:
  using BorderLayer<Options>::BorderLayer;

  void validate() const {
    for (const Margins& margins : list(this->options_.cropping))
      this->at_least(0, "cropping", {margins.before, margins.after});
  }
  std::string_view class_name() const override {
    constexpr std::string_view kNames[] = {"Cropping1D", "Cropping2D", "Cropping3D"};
    return kNames[BorderLayer<Options>::kAxes - 1];
  }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    std::vector<int64_t> begin = {0}, size = {-1};
    for (const Margins& margins : list(this->options_.cropping)) {
      const int64_t dim = inputs[0].shape()[static_cast<int>(begin.size())];
      begin.push_back(margins.before);
      size.push_back(margins.after == 0 ? -1 : dim - margins.before - margins.after);
    }
    begin.push_back(0);
    size.push_back(-1);
    return {slice(inputs[0], std::move(begin), std::move(size))};
  }

 protected:
  void check(const Specs& inputs) const override {
    BorderLayer<Options>::check(inputs);
    int axis = 1;
    for (const Margins& margins : list(this->options_.cropping)) {
      const int64_t dim = inputs[0].shape[axis++];
      if (margins.before + margins.after >= dim)
        this->refuse(fmt::format("cropping {} and {} leaves nothing of {} (found shape {})",
                                 margins.before, margins.after, dim, inputs[0].shape.to_string()));
    }
  }
};

}  // namespace

void describe(Fields& fields, ZeroPadding2DOptions& options) {
  tell(fields, "padding", options.padding);
  fields.only("data_format", "channels_last");
}
void describe(Fields& fields, ZeroPadding1DOptions& options) {
  tell(fields, "padding", options.padding);
  fields.only("data_format", "channels_last");
}
void describe(Fields& fields, Cropping2DOptions& options) {
  tell(fields, "cropping", options.cropping);
  fields.only("data_format", "channels_last");
}
void describe(Fields& fields, Cropping1DOptions& options) {
  tell(fields, "cropping", options.cropping);
}

void describe(Fields& fields, ZeroPadding3DOptions& options) {
  tell(fields, "padding", options.padding);
  fields.only("data_format", "channels_last");
}
void describe(Fields& fields, Cropping3DOptions& options) {
  tell(fields, "cropping", options.cropping);
  fields.only("data_format", "channels_last");
}

ZeroPadding2D::ZeroPadding2D(const ZeroPadding2DOptions& options)
    : Layer(make_layer<ZeroPaddingBody<ZeroPadding2DOptions>>(options)) {}

ZeroPadding1D::ZeroPadding1D(const ZeroPadding1DOptions& options)
    : Layer(make_layer<ZeroPaddingBody<ZeroPadding1DOptions>>(options)) {}

Cropping2D::Cropping2D(const Cropping2DOptions& options)
    : Layer(make_layer<CroppingBody<Cropping2DOptions>>(options)) {}

Cropping1D::Cropping1D(const Cropping1DOptions& options)
    : Layer(make_layer<CroppingBody<Cropping1DOptions>>(options)) {}

ZeroPadding3D::ZeroPadding3D(const ZeroPadding3DOptions& options)
    : Layer(make_layer<ZeroPaddingBody<ZeroPadding3DOptions>>(options)) {}

Cropping3D::Cropping3D(const Cropping3DOptions& options)
    : Layer(make_layer<CroppingBody<Cropping3DOptions>>(options)) {}

}  // namespace plimsoll
