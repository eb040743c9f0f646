// The compiled steps of a model: training, evaluation and prediction, traced once for each shape of
// batch.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "plimsoll/engine/compiled_step.h"
#include "plimsoll/nn/network.h"
#include "plimsoll/record/run_observer.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

class ModelSteps {
 public:
  using StepPtr = std::shared_ptr<CompiledStep>;

  // InvalidArgument where the options do not fit the network's outputs.
  ModelSteps(std::shared_ptr<Network> network, CompileOptions options);

  // `fields` are those of one record: the network's inputs, then one target an output.
  StepPtr train(const Specs& fields, int64_t batch);
  StepPtr evaluate(const Specs& fields, int64_t batch);
  // `fields` are the inputs alone; the step's outputs are the network's.
  StepPtr predict(const Specs& fields, int64_t batch);

  const Optimizer& optimizer() const { return options_.optimizer; }
  void reset_metrics();
  // The metrics' names, and their values now; reading them allocates nothing.
  const std::vector<std::string>& metric_names() const { return metric_names_; }
  void read_metrics(std::span<double> into) const;

 private:
  enum class Phase { train, evaluate, predict };
  StepPtr find_or_compile(Phase phase, const Specs& fields, int64_t batch);
  StepGraph trace(Phase phase, const Specs& fields, int64_t batch);
  StepGraph record(Phase phase, const Specs& fields, int64_t batch);
  Tensor total_loss(const Tensors& targets, const Tensors& predictions, int64_t batch);
  void apply_gradients(const Tensor& loss);
  void check_outputs(size_t count) const;
  void name_metrics();

  std::shared_ptr<Network> network_;
  CompileOptions options_;
  Mean loss_tracker_;
  std::vector<Mean> output_trackers_;  // one an output where there are several
  std::vector<std::string> metric_names_;
  std::vector<Metric> reported_;  // in the order of metric_names_
  std::map<std::string, StepPtr> steps_;
};

}  // namespace plimsoll
