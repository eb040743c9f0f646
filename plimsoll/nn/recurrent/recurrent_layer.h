// RecurrentLayer, the base of LSTM, GRU, SimpleRNN and RNN: a cell that runs through sequences.
#pragma once

#include <memory>

#include "plimsoll/graph/scope.h"
#include "plimsoll/nn/recurrent/recurrent_cell.h"

namespace plimsoll {

struct RecurrentFlags {
  bool return_sequences = false;
  bool return_state = false;
  bool go_backwards = false;
  bool stateful = false;
  bool zero_output_for_mask = false;
};

template <class Options>
RecurrentFlags recurrent_flags(const Options& options) {
  return {options.return_sequences, options.return_state, options.go_backwards, options.stateful,
          options.zero_output_for_mask};
}

class RecurrentLayer : public LayerBody {
 public:
  RecurrentLayer(const RecurrentFlags& flags, const std::shared_ptr<LayerBody>& cell);

  void build(const Specs& inputs) override;
  Tensors call(const Tensors& inputs, const CallContext& context) override;
  RangeEffect range_effect() const override { return RangeEffect::multiplies(); }
  bool mixes_samples(bool is_training) const override {
    return flags_.stateful || LayerBody::mixes_samples(is_training);
  }
  bool supports_masking() const override { return true; }
  Tensors output_masks(const Tensors& inputs, const Tensors& outputs,
                       const Tensors& masks) const override;
  std::vector<Child> children() const override { return {{"cell", cell_}}; }

  const RecurrentFlags& flags() const { return flags_; }
  void set_zero_output_for_mask(bool zero) { flags_.zero_output_for_mask = zero; }
  // Of a stateful layer that has seen a batch.
  const Variables& state() const { return state_; }
  // Makes the next batch of a stateful layer begin with zeros.
  void reset_state();

 protected:
  void check(const Specs& inputs) const override;
  const std::shared_ptr<SequenceCell>& cell() const { return cell_; }

 private:
  Tensors initial_state(const CallContext& context, const Shape& step);
  void keep_state(const Tensors& state);

  RecurrentFlags flags_;
  std::shared_ptr<SequenceCell> cell_;
  Variables state_;  // of a stateful layer, from its first batch on
};

// A layer with a cell of its own, described by its options.
template <class Options>
class RecurrentLayerOf final : public RecurrentLayer {
 public:
  RecurrentLayerOf(std::string_view class_name, const Options& options,
                   const std::shared_ptr<SequenceCell>& cell)
      : RecurrentLayer(recurrent_flags(options), cell),
        class_name_(class_name),
        options_(options) {}

  void validate() const {
    const Scope scope(name());  // errors name the layer, not its cell
    cell()->validate();
  }
  std::string_view class_name() const override { return class_name_; }
  void config_fields(Fields& fields) const override {
    Options copy = options_;
    copy.zero_output_for_mask = flags().zero_output_for_mask;
    describe(fields, copy);
  }

 private:
  std::string_view class_name_;
  Options options_;
};

// The states of all stateful layers in `body`, those that have seen a batch.
Variables recurrent_states(const LayerBody& body);
// Sets the state of every stateful layer in `layer` to zeros, as between two series of batches.
void reset_state(const Layer& layer);

}  // namespace plimsoll
