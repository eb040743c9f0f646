// Cells: what a recurrent layer does at each step. A cell runs whole sequences; called by itself on
// (batch, features) and a state, it does one step.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plimsoll/nn/layer_seed.h"
#include "plimsoll/nn/layers/layer.h"
#include "plimsoll/ops/recurrent/recurrent.h"

namespace plimsoll {

// How a cell should run through a sequence.
struct SequenceCall {
  bool go_backwards = false;
  bool return_sequences = false;
  bool zero_output_for_mask = false;
  bool is_training = false;
  Tensor mask = {};
  Tensors initial_state = {};  // empty: zeros
};

// The settings that all kinds of cells have.
struct CellSettings {
  std::string activation = "tanh", recurrent_activation = "sigmoid";
  bool use_bias = true;
  bool unit_forget_bias = false;  // of an LSTM
  Initializer kernel_initializer = {}, recurrent_initializer = {}, bias_initializer = {};
  Regularizer kernel_regularizer = {}, recurrent_regularizer = {}, bias_regularizer = {};
  Constraint kernel_constraint = {}, recurrent_constraint = {}, bias_constraint = {};
  double dropout = 0, recurrent_dropout = 0;
  std::optional<int64_t> seed = {};
};

struct RecurrentWeights {
  Variable kernel, recurrent_kernel, bias;  // no bias: undefined
};

class SequenceCell : public LayerBody {
 public:
  // Refuses settings that make no sense.
  virtual void validate() const {}
  // The widths of its states.
  virtual std::vector<int64_t> state_sizes() const = 0;
  // x: (batch, steps, features). The cell must be built.
  virtual RecurrentResult run(const Tensor& x, const SequenceCall& call) = 0;

  // The axes of a step, and their names.
  virtual int step_rank() const { return 2; }
  virtual std::string_view step_axes() const { return "features"; }
  // The channels that a built cell takes.
  virtual int64_t features() const { return weights()[0].shape()[0]; }
  // The shape of state `number`, given that of a step.
  virtual Shape state_shape(const Shape& step, size_t number) const {
    return {step[0], state_sizes()[number]};
  }

  // One step: the output, then the states.
  Tensors call(const Tensors& inputs, const CallContext& context) final;

 protected:
  void check_dropout(const CellSettings& settings) const;
  // A bias for all gates side by side, or two rows of such, if the settings have one.
  RecurrentWeights add_weights(const CellSettings& settings, const Shape& kernel,
                               const Shape& recurrent_kernel, const Shape& bias);
};

// Of an LSTM, a GRU or a simple cell.
struct RecurrentSettings : CellSettings {
  RecurrentCell kind = RecurrentCell::lstm;
  int64_t units = 0;
  bool reset_after = false;  // of a GRU

  int gates() const { return kind == RecurrentCell::lstm ? 4 : kind == RecurrentCell::gru ? 3 : 1; }
};

// From the options of a layer or a cell.
template <class Options>
CellSettings cell_settings(const Options& options) {
  CellSettings settings = {.activation = options.activation,
                           .use_bias = options.use_bias,
                           .kernel_initializer = options.kernel_initializer,
                           .recurrent_initializer = options.recurrent_initializer,
                           .bias_initializer = options.bias_initializer,
                           .kernel_regularizer = options.kernel_regularizer,
                           .recurrent_regularizer = options.recurrent_regularizer,
                           .bias_regularizer = options.bias_regularizer,
                           .kernel_constraint = options.kernel_constraint,
                           .recurrent_constraint = options.recurrent_constraint,
                           .bias_constraint = options.bias_constraint,
                           .dropout = options.dropout,
                           .recurrent_dropout = options.recurrent_dropout,
                           .seed = options.seed};
  if constexpr (requires { options.recurrent_activation; })
    settings.recurrent_activation = options.recurrent_activation;
  if constexpr (requires { options.unit_forget_bias; })
    settings.unit_forget_bias = options.unit_forget_bias;
  return settings;
}

template <class Options>
RecurrentSettings recurrent_settings(RecurrentCell kind, const Options& options) {
  RecurrentSettings settings{cell_settings(options), kind, options.units};
  if constexpr (requires { options.reset_after; }) settings.reset_after = options.reset_after;
  return settings;
}

class CellBody : public SequenceCell {
 public:
  explicit CellBody(const RecurrentSettings& settings);

  void validate() const override;
  std::string_view class_name() const override;
  RangeEffect range_effect() const override { return RangeEffect::multiplies(); }
  void build(const Specs& inputs) override;
  std::vector<int64_t> state_sizes() const override;
  RecurrentResult run(const Tensor& x, const SequenceCall& call) override;
  const RecurrentSettings& settings() const { return settings_; }

 protected:
  void check(const Specs& inputs) const override;

 private:
  Tensor dropout_factors(double rate, int64_t batch, int64_t width) const;

  RecurrentSettings settings_;
  RecurrentWeights weights_;
  LayerSeed seed_;
};

// A cell that is a layer of its own, described by its options.
template <class Options>
class CellOf final : public CellBody {
 public:
  CellOf(RecurrentCell kind, const Options& options)
      : CellBody(recurrent_settings(kind, options)), options_(options) {}
  void config_fields(Fields& fields) const override {
    Options copy = options_;
    describe(fields, copy);
  }

 private:
  Options options_;
};

// A cell for a layer of these options, named as Keras names it.
std::shared_ptr<SequenceCell> make_inner_cell(const RecurrentSettings& settings);

// A sequence of single steps: for activations that the ops do not know. `options` as they have
// them, but for the activations.
RecurrentResult run_step_by_step(const RecurrentSettings& settings, const RecurrentWeights& weights,
                                 const Tensor& x, const RecurrentOptions& options);

}  // namespace plimsoll
