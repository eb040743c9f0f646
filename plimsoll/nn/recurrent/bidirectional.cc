#include "plimsoll/nn/recurrent/bidirectional.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/keras/layer_config.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/nn/recurrent/recurrent_layer.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/movement/strided_slice.h"

namespace plimsoll {
namespace {

using RecurrentPtr = std::shared_ptr<RecurrentLayer>;

RecurrentPtr as_recurrent(const Layer& layer, const char* what) {
  RecurrentPtr body = std::dynamic_pointer_cast<RecurrentLayer>(layer.body());
  if (body == nullptr)
    throw InvalidArgument("Bidirectional: " + std::string(what) +
                          " must be a recurrent layer (GRU, LSTM, RNN, SimpleRNN), found " +
                          (layer.body() == nullptr ? "none" : std::string(layer->class_name())));
  return body;
}

// A new layer of the same settings.
RecurrentPtr copy_of(const RecurrentLayer& layer, const std::string& prefix, bool go_backwards) {
  Json json = layer_to_json(layer);
  Json& config = json["config"];
  const std::string& name = layer.name();
  config["name"] = name.starts_with(prefix) ? name : prefix + name;
  config["go_backwards"] = go_backwards;
  return as_recurrent(layer_from_json(json), "layer");
}

class BidirectionalBody final : public LayerBody {
 public:
  explicit BidirectionalBody(const BidirectionalOptions& options)
      : merge_mode_(options.merge_mode) {
    const RecurrentPtr layer = as_recurrent(options.layer, "layer");
    forward_ = copy_of(*layer, "forward_", layer->flags().go_backwards);
    backward_ = options.backward_layer.body() == nullptr
                    ? copy_of(*layer, "backward_", true)
                    : as_recurrent(options.backward_layer, "backward_layer");
    // Masked steps of the two are not at the same positions of their outputs.
    for (const RecurrentPtr& each : {forward_, backward_})
      each->set_zero_output_for_mask(each->flags().return_sequences);
  }

  void validate() const {
    static constexpr const char* kModes[] = {"concat", "sum", "mul", "ave"};
    if (merge_mode_ && std::ranges::find(kModes, *merge_mode_) == std::end(kModes))
      refuse("merge_mode must be concat, sum, mul, ave or none, found '" + *merge_mode_ + "'");
    const RecurrentFlags &a = forward_->flags(), &b = backward_->flags();
    if (a.go_backwards == b.go_backwards)
      refuse("the two layers must run in opposite directions, found go_backwards = " +
             std::string(a.go_backwards ? "true" : "false") + " in both");
    const auto same = [&](const char* what, bool of_forward, bool of_backward) {
      if (of_forward != of_backward)
        refuse("the two layers must agree in " + std::string(what) + ", found " +
               (of_forward ? "true" : "false") + " in the forward layer alone");
    };
    same("return_sequences", a.return_sequences, b.return_sequences);
    same("return_state", a.return_state, b.return_state);
    same("stateful", a.stateful, b.stateful);
  }

  std::string_view class_name() const override { return "Bidirectional"; }
  RangeEffect range_effect() const override { return RangeEffect::multiplies(); }
  bool supports_masking() const override { return true; }
  std::vector<Child> children() const override {
    return {{"forward_layer", forward_}, {"backward_layer", backward_}};
  }
  void config_fields(Fields& fields) const override {
    BidirectionalOptions options = {
        .layer = Layer(forward_), .backward_layer = Layer(backward_), .merge_mode = merge_mode_};
    describe(fields, options);
  }

  Tensors call(const Tensors& inputs, const CallContext& context) override {
    const Tensors& state = context.initial_state;
    if (state.size() % 2 != 0)
      refuse(
          fmt::format("expected an initial state of both layers, found {} tensors", state.size()));
    const auto half = state.begin() + static_cast<ptrdiff_t>(state.size() / 2);
    CallOptions options = {.training = context.is_training, .mask = context.mask};
    options.initial_state.assign(state.begin(), half);
    const Tensors y = (*forward_)(inputs, options);
    options.initial_state.assign(half, state.end());
    const Tensors reversed = (*backward_)(inputs, options);
    Tensors outputs =
        merged(y[0], forward_->flags().return_sequences ? flip(reversed[0], {1}) : reversed[0]);
    outputs.insert(outputs.end(), y.begin() + 1, y.end());
    outputs.insert(outputs.end(), reversed.begin() + 1, reversed.end());
    return outputs;
  }

  Tensors output_masks(const Tensors&, const Tensors& outputs,
                       const Tensors& masks) const override {
    Tensors passed(outputs.size());
    if (forward_->flags().return_sequences)
      std::fill_n(passed.begin(), merge_mode_ ? 1 : 2, masks[0]);
    return passed;
  }

 private:
  Tensors merged(const Tensor& y, const Tensor& reversed) const {
    if (!merge_mode_) return {y, reversed};
    if (*merge_mode_ == "concat") return {concatenate({y, reversed}, -1)};
    if (*merge_mode_ == "mul") return {y * reversed};
    const Tensor sum = y + reversed;
    return {*merge_mode_ == "ave" ? sum * 0.5 : sum};
  }

  std::optional<std::string> merge_mode_;
  RecurrentPtr forward_, backward_;
};

}  // namespace

void describe(Fields& fields, BidirectionalOptions& options) {
  fields.with("merge_mode", options.merge_mode)
      .with("layer", options.layer)
      .with("backward_layer", options.backward_layer);
}

Bidirectional::Bidirectional(const BidirectionalOptions& options)
    : Layer(make_layer<BidirectionalBody>(options)) {}

}  // namespace plimsoll
