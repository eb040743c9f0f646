// The compiled steps of a model: training, evaluation and prediction, traced once for each shape of
// batch.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/engine/compiled_step.h"
#include "plimsoll/nn/network.h"
#include "plimsoll/train/class_weight.h"
#include "plimsoll/train/field_roles.h"
#include "plimsoll/train/objective.h"

namespace plimsoll {

// The fields of a record, and what they are to the model.
struct RecordFields {
  Specs specs;
  FieldRoles roles;
};

class ModelSteps {
 public:
  using StepPtr = std::shared_ptr<CompiledStep>;

  ModelSteps(std::shared_ptr<Network> network, CompileOptions options);

  // InvalidArgument where data, options and network do not fit together.
  RecordFields fields_of(const Specs& fields, const FieldMeaning& meaning);
  // For predict: the inputs alone matter.
  RecordFields input_fields_of(const Specs& fields, const FieldMeaning& meaning) const;

  StepPtr train(const RecordFields& fields, int64_t batch);
  StepPtr evaluate(const RecordFields& fields, int64_t batch);
  // The step's outputs are the network's.
  StepPtr predict(const RecordFields& fields, int64_t batch);

  // How steps save memory. Changing it compiles them anew.
  struct Saving {
    std::optional<int64_t> arena_budget = {};  // values are computed again where that keeps to it
    int sequence_parts = 1;                    // of recurrent layers in training: see SequenceCut

    bool operator==(const Saving&) const = default;
  };
  void set_saving(const Saving& saving);
  const Saving& saving() const { return saving_; }
  // Did a training step with sequence_parts > 1 have a sequence to cut?
  bool cuts_sequences() const { return cuts_sequences_; }

  const CompileOptions& options() const { return options_; }
  const Optimizer& optimizer() const { return options_.optimizer; }
  // Names, resets and values of what is reported.
  const Objective& objective();

 private:
  enum class Phase { train, evaluate, predict };
  std::string key_of(Phase phase, const RecordFields& fields, int64_t batch) const;
  StepPtr find_or_compile(Phase phase, const RecordFields& fields, int64_t batch);
  StepGraph trace(Phase phase, const RecordFields& fields, int64_t batch);
  StepGraph record(Phase phase, const RecordFields& fields, int64_t batch);
  void apply_gradients(const Tensor& loss);
  // An optimizer that another model was trained with is that one's; this model gets its like.
  void take_own_optimizer(const Variables& weights);
  ModelSides sides() const;

  std::shared_ptr<Network> network_;
  CompileOptions options_;
  std::optional<Objective> objective_;
  Saving saving_;
  bool cuts_sequences_ = false;
  std::map<std::string, StepPtr> steps_;
};

// The data with the weight of each sample's class as its sample weight; as it is where there are no
// weights. InvalidArgument where the model has several outputs.
Dataset class_weighted(ModelSteps& steps, const Dataset& data, const ClassWeight& weights);

}  // namespace plimsoll
