// The compiled steps of a model: training, evaluation and prediction, traced once for each shape of
// batch.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/engine/memory/saving.h"
#include "plimsoll/graph/sample_mixing.h"
#include "plimsoll/nn/networks/network.h"
#include "plimsoll/train/data/class_weight.h"
#include "plimsoll/train/data/field_roles.h"
#include "plimsoll/train/data/number_ranges.h"
#include "plimsoll/train/steps/batch_step.h"
#include "plimsoll/train/steps/objective.h"
#include "plimsoll/train/steps/part_sums.h"

namespace plimsoll {

// The fields of a record, and what they are to the model.
struct RecordFields {
  Specs specs;
  FieldRoles roles;
};

enum class StepKind {
  train,
  evaluate,
  predict,  // of whole batches; the step's outputs are the network's
};

class ModelSteps {
 public:
  ModelSteps(std::shared_ptr<Network> network, CompileOptions options);

  // InvalidArgument where data, options and network do not fit together.
  RecordFields fields_of(const Specs& fields, const FieldMeaning& meaning);
  // For predict: the inputs alone matter.
  RecordFields input_fields_of(const Specs& fields, const FieldMeaning& meaning) const;
  // The class numbers and words that the model has a place for. Builds a Sequential that has seen
  // no input yet.
  std::vector<NumberRange> number_ranges_of(const RecordFields& fields);
  // What a person calls the fields.
  std::vector<std::string> field_names_of(const RecordFields& fields) const;

  // The steps of a batch of so many samples. Those that save memory in another way are dropped:
  // they are not run again.
  BatchStep compile(StepKind kind, const RecordFields& fields, int64_t batch, const Saving& saving);
  // As the last ones.
  BatchStep compile(StepKind kind, const RecordFields& fields, int64_t batch) {
    return compile(kind, fields, batch, saving_);
  }
  const Saving& saving() const { return saving_; }
  // A step that computes the loss and the gradients of a batch, or of a part of one, and gates
  // them. Its inputs are the fields and a PartPlace. It is for computing alone and is not kept.
  enum class Probe { fast, as_recorded };
  StepPtr compile_probe(const RecordFields& fields, int64_t samples, Probe probe,
                        std::optional<int64_t> arena_budget = {});

  // Why a batch cannot run in parts that add up to it: what mixes its samples. Nothing: it can.
  std::optional<std::string> bars_parts(StepKind kind, const RecordFields& fields,
                                        BatchStatistics statistics);
  // What parts leave for the end of their batch.
  Variables part_sums() const { return sums_.variables(); }

  const CompileOptions& options() const { return options_; }
  const Optimizer& optimizer() const { return options_.optimizer; }
  // Names, resets and values of what is reported.
  const Objective& objective();

 private:
  std::string key_of(StepKind kind, const RecordFields& fields, int64_t batch) const;
  void use(const Saving& saving);
  BatchStep compile_new(StepKind kind, const RecordFields& fields, int64_t batch);
  BatchStep compile_in_parts(StepKind kind, const RecordFields& fields, const PartSizes& sizes);
  StepOptions step_options() const;
  StepPtr compile_recorded(const std::function<StepGraph()>& record,
                           const StepOptions& options) const;
  StepPtr compile_recorded(const std::function<StepGraph()>& record) const {
    return compile_recorded(record, step_options());
  }

  // What the recording of a batch, or of a part of one, begins with.
  struct Forward {
    Tensors inputs;          // of the step: the fields
    Objective::Batch batch;  // its penalties are those of activities
  };
  Forward forward(StepKind kind, const RecordFields& fields, int64_t samples);
  StepGraph record(StepKind kind, const RecordFields& fields, int64_t batch);
  // Of a part of `samples`: null if the sizes give the divisors.
  StepPtr compile_divisors(StepKind kind, const RecordFields& fields, int64_t samples);
  StepGraph record_probe(const RecordFields& fields, int64_t samples);
  StepGraph record_part(StepKind kind, const RecordFields& fields, int64_t samples, int64_t batch);
  void add_gradients(const Tensor& loss, const Tensor& is_first);
  // Why a batch cannot run in parts, if it cannot.
  std::optional<std::string> find_bar(StepKind kind, const RecordFields& fields,
                                      BatchStatistics statistics);
  // What a batch leaves as sums over its samples.
  Tensors sums_of(StepKind kind, const Objective::Batch& batch);
  StepGraph record_end(StepKind kind, int64_t batch);

  Variables trained_weights() const;
  // Of the loss as the optimizer scales it.
  Tensors gradients_of(const Tensor& loss, const Variables& weights) const;
  void apply_gradients(const Tensors& gradients, const Variables& weights);
  // An optimizer that another model was trained with is that one's; this model gets its like.
  void take_own_optimizer(const Variables& weights);
  ModelSides sides() const;

  std::shared_ptr<Network> network_;
  CompileOptions options_;
  std::optional<Objective> objective_;
  Saving saving_;                // of steps_
  bool cuts_sequences_ = false;  // what was recorded last had a sequence to cut
  PartSums sums_;
  std::vector<uint64_t> summed_weights_;  // whose gradients sums_ has
  std::map<std::string, BatchStep> steps_;
};

// The data with the weight of each sample's class as its sample weight; as it is where there are no
// weights. InvalidArgument where the model has several outputs.
Dataset class_weighted(ModelSteps& steps, const Dataset& data, const ClassWeight& weights);

}  // namespace plimsoll
