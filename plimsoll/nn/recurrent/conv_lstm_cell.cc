#include "plimsoll/nn/recurrent/conv_lstm_cell.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/graph/scope.h"
#include "plimsoll/nn/images/image_layer.h"
#include "plimsoll/ops/convolution/padding.h"
#include "plimsoll/ops/elementwise/activations.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {
namespace {

constexpr int kGates = 4;  // in, forget, cell, out

// A convolution of rows, images or volumes, by the number of its sizes; no bias: undefined.
struct Convolver {
  std::vector<int64_t> strides, dilation_rate;
  Padding padding = Padding::valid;

  Tensor operator()(const Tensor& x, const Tensor& kernel, const Tensor& bias) const {
    if (strides.size() == 3) {
      const VolumeConvolutionOptions options{
          .strides = {strides[0], strides[1], strides[2]},
          .padding = padding,
          .dilation_rate = {dilation_rate[0], dilation_rate[1], dilation_rate[2]}};
      return bias.defined() ? conv3d(x, kernel, bias, options) : conv3d(x, kernel, options);
    }
    if (strides.size() == 2)
      return images(x, kernel, bias, {strides[0], strides[1]},
                    {dilation_rate[0], dilation_rate[1]});
    const Tensor wide = reshape(kernel, kernel.shape().with(0, 1));
    return as_rows(images(as_image(x), wide, bias, {1, strides[0]}, {1, dilation_rate[0]}));
  }

 private:
  Tensor images(const Tensor& x, const Tensor& kernel, const Tensor& bias, PerAxis<2> steps,
                PerAxis<2> rates) const {
    const ConvolutionOptions options{.strides = steps, .padding = padding, .dilation_rate = rates};
    return bias.defined() ? conv2d(x, kernel, bias, options) : conv2d(x, kernel, options);
  }
};

// Channels [gate * size, (gate + 1) * size) of the last axis.
Tensor gate_of(const Tensor& x, int gate, int64_t size) {
  std::vector<int64_t> begin(static_cast<size_t>(x.rank()), 0), sizes(begin.size(), -1);
  begin.back() = gate * size;
  sizes.back() = size;
  return slice(x, begin, sizes);
}

Tensor step_at(const Tensor& x, int64_t step) {
  std::vector<int64_t> begin(static_cast<size_t>(x.rank()), 0), sizes(begin.size(), -1);
  begin[1] = step;
  sizes[1] = 1;
  return squeeze(slice(x, begin, sizes), 1);
}

class ConvLSTMCellBody final : public SequenceCell {
 public:
  explicit ConvLSTMCellBody(const ConvLSTMSettings& settings)
      : settings_(settings),
        input_{settings.strides, settings.dilation_rate, padding_of(settings.padding)},
        recurrent_{std::vector<int64_t>(axes(), 1), std::vector<int64_t>(axes(), 1), Padding::same},
        activation_(activation(settings.activation)),
        recurrent_activation_(activation(settings.recurrent_activation)),
        seed_(settings.seed) {}

  void validate() const override {
    const auto positive = [&](const char* what, int64_t value) {
      if (value < 1) refuse(fmt::format("{} must be at least 1, found {}", what, value));
    };
    positive("filters", settings_.filters);
    positive("kernel_size", std::ranges::min(settings_.kernel_size));
    positive("strides", std::ranges::min(settings_.strides));
    positive("dilation_rate", std::ranges::min(settings_.dilation_rate));
    if (std::ranges::max(settings_.strides) > 1 && std::ranges::max(settings_.dilation_rate) > 1)
      refuse("strides and dilation_rate cannot both be above 1");
    check_dropout(settings_);
  }
  std::string_view class_name() const override { return "ConvLSTMCell"; }
  RangeEffect range_effect() const override { return RangeEffect::multiplies(); }
  std::vector<int64_t> state_sizes() const override {
    return {settings_.filters, settings_.filters};
  }
  int step_rank() const override { return static_cast<int>(axes()) + 2; }
  std::string_view step_axes() const override {
    constexpr std::string_view kAxes[] = {"columns, channels", "height, width, channels",
                                          "depth, height, width, channels"};
    return kAxes[axes() - 1];
  }
  int64_t features() const override { return weights_.kernel.shape()[static_cast<int>(axes())]; }
  Shape state_shape(const Shape& step, size_t) const override {
    Shape shape{step[0]};
    for (size_t i = 0; i < axes(); ++i)
      shape.push_back(window_axis("input", step[static_cast<int>(i) + 1], settings_.kernel_size[i],
                                  settings_.strides[i], settings_.dilation_rate[i], input_.padding)
                          .output);
    shape.push_back(settings_.filters);
    return shape;
  }

  void build(const Specs& inputs) override {
    const int64_t filters = settings_.filters;
    weights_ = add_weights(settings_, kernel_shape(inputs[0].shape.back()), kernel_shape(filters),
                           {kGates * filters});
  }

  RecurrentResult run(const Tensor& x, const SequenceCall& call) override {
    const Scope scope(name());
    const Shape step = x.shape().without(1);
    const Tensor sums = input_sums(x, call.is_training);
    const Tensors masks =
        dropout_factors(settings_.recurrent_dropout, state_shape(step, 0), call.is_training);
    const Tensor zeros = broadcast_to(0.0, state_shape(step, 0));
    State state{zeros, zeros, zeros};
    if (!call.initial_state.empty()) {
      state.h = call.initial_state[0];
      state.c = call.initial_state[1];
    }
    Tensors outputs;
    const int64_t steps = x.shape()[1];
    for (int64_t i = 0; i < steps; ++i) {
      advance(state, sums, call.go_backwards ? steps - 1 - i : i, masks, call);
      if (call.return_sequences) outputs.push_back(expand_dims(state.output, 1));
    }
    return {call.return_sequences ? concatenate(outputs, 1) : state.output, {state.h, state.c}};
  }

 private:
  struct State {
    Tensor h, c, output;
  };

  size_t axes() const { return settings_.kernel_size.size(); }
  Shape kernel_shape(int64_t channels) const {
    Shape shape;
    for (const int64_t size : settings_.kernel_size) shape.push_back(size);
    shape.push_back(channels);
    shape.push_back(kGates * settings_.filters);
    return shape;
  }

  // One per gate, of `shape`, the same at every step; none if nothing is dropped. A rate of 1 drops
  // nothing, as in Keras.
  Tensors dropout_factors(double rate, const Shape& shape, bool is_training) const {
    Tensors factors;
    for (int gate = 0; is_training && rate > 0 && rate < 1 && gate < kGates; ++gate)
      factors.push_back(dropout(broadcast_to(1.0, shape), rate, seed_.draw()));
    return factors;
  }

  // The sums of all gates side by side; `factors` multiply what goes into each.
  Tensor gate_sums(const Convolver& convolve, const Tensor& x, const Tensor& kernel,
                   const Tensor& bias, const Tensors& factors) const {
    if (factors.empty()) return convolve(x, kernel, bias);
    Tensors sums;
    for (int gate = 0; gate < kGates; ++gate)
      sums.push_back(convolve(x * factors[static_cast<size_t>(gate)],
                              gate_of(kernel, gate, settings_.filters),
                              bias.defined() ? gate_of(bias, gate, settings_.filters) : Tensor()));
    return concatenate(sums, -1);
  }

  // Of all steps at once: (batch, steps, …, gates * filters).
  Tensor input_sums(const Tensor& x, bool is_training) const {
    const int64_t steps = x.shape()[1];
    Shape rows = x.shape().without(1);
    Tensors factors;
    for (const Tensor& factor : dropout_factors(settings_.dropout, rows, is_training))
      factors.push_back(folded(broadcast_to(expand_dims(factor, 1), x.shape())));
    const Tensor bias = weights_.bias.defined() ? weights_.bias.value() : Tensor();
    const Tensor y = gate_sums(input_, folded(x), weights_.kernel.value(), bias, factors);
    Shape shape = y.shape().with(1, steps);
    shape[0] = -1;
    return reshape(y, shape);
  }
  // Steps become samples.
  static Tensor folded(const Tensor& x) {
    Shape shape = x.shape().without(1);
    shape[0] = -1;
    return reshape(x, shape);
  }

  void advance(State& state, const Tensor& sums, int64_t time, const Tensors& masks,
               const SequenceCall& call) const {
    const Tensor all = step_at(sums, time) +
                       gate_sums(recurrent_, state.h, weights_.recurrent_kernel.value(), {}, masks);
    const auto gate = [&](int number) { return gate_of(all, number, settings_.filters); };
    const Tensor i = recurrent_activation_(gate(0)), f = recurrent_activation_(gate(1));
    const Tensor c = f * state.c + i * activation_(gate(2));
    const Tensor h = recurrent_activation_(gate(3)) * activation_(c);
    if (!call.mask.defined()) {
      state = {h, c, h};
      return;
    }
    Shape flags{-1};
    for (size_t axis = 0; axis <= axes(); ++axis) flags.push_back(1);
    const Tensor valid = reshape(slice(call.mask, {0, time}, {-1, 1}), flags);
    state.output =
        call.zero_output_for_mask ? select(valid, h, 0.0) : select(valid, h, state.output);
    state.h = select(valid, h, state.h);
    state.c = select(valid, c, state.c);
  }

  ConvLSTMSettings settings_;
  Convolver input_, recurrent_;
  ActivationFunction activation_, recurrent_activation_;
  RecurrentWeights weights_;
  LayerSeed seed_;
};

}  // namespace

std::shared_ptr<SequenceCell> make_conv_lstm_cell(const ConvLSTMSettings& settings) {
  auto cell = std::make_shared<ConvLSTMCellBody>(settings);
  cell->set_name("conv_lstm_cell");
  return cell;
}

}  // namespace plimsoll
