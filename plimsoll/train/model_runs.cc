// What a model does with data: fit, evaluate, predict, and the plan of it.
#include <utility>

#include "plimsoll/report/console_progress.h"
#include "plimsoll/train/callbacks/kept_tensors.h"
#include "plimsoll/train/evaluation.h"
#include "plimsoll/train/examine.h"
#include "plimsoll/train/fit.h"
#include "plimsoll/train/loop.h"
#include "plimsoll/train/memory/hold_passes.h"
#include "plimsoll/train/memory/run_planner.h"
#include "plimsoll/train/model_state.h"
#include "plimsoll/train/predict.h"
#include "plimsoll/train/replay.h"

namespace plimsoll {
namespace {

// A Dataset holds its own weights.
void refuse_weight(const Columns& sample_weight, const char* what) {
  if (!sample_weight.empty())
    throw InvalidArgument(std::string(what) +
                          ": a Dataset has its sample_weight inside; give it as "
                          "Dataset(x, y, sample_weight)");
}

// Adds the callback that notices tensors which are kept from epoch to epoch.
FitOptions watched(FitOptions options) {
  options.callbacks.emplace_back(KeptTensors());
  return options;
}

// Runs the whole data as one batch; the metrics are those of that batch alone.
Logs run_on_batch(ModelSteps& steps, const Dataset& data, const char* what, StepKind kind) {
  DataPass pass(steps, {.name = what,
                        .kind = kind,
                        .fields = steps.fields_of(data.source->fields(), data),
                        .choice = {.size = data.source->size()},
                        .source = data.source});
  steps.objective().reset();
  pass.loader().start_epoch(0);
  pass.begin_batch();
  pass.run_batch();
  Logs logs;
  read_logs(steps.objective(), logs);
  return logs;
}

}  // namespace

History Model::fit(const Columns& x, const Columns& y, const FitOptions& options) {
  return PlannedFit(*this, state_->compiled("fit()"), Dataset(x, y, options.sample_weight),
                    watched(options))
      .run();
}

History Model::fit(const Dataset& data, const FitOptions& options) {
  return plan_fit(data, options).run();
}

PlannedFit Model::plan_fit(const Dataset& data, const FitOptions& options) {
  refuse_weight(options.sample_weight, "fit");
  return PlannedFit(*this, state_->compiled("fit()"), data, watched(options));
}

Logs Model::evaluate(const Columns& x, const Columns& y, const EvaluateOptions& options) {
  return evaluate_records(Dataset(x, y, options.sample_weight), options);
}

Logs Model::evaluate(const Dataset& data, const EvaluateOptions& options) {
  refuse_weight(options.sample_weight, "evaluate");
  return evaluate_records(data, options);
}

Logs Model::evaluate_records(const Dataset& data, const EvaluateOptions& options) {
  if (data.source == nullptr) throw InvalidArgument("evaluate: there is no data");
  const auto steps = state_->compiled("evaluate()");
  Callbacks callbacks = options.callbacks;
  if (options.verbose > 0) callbacks.emplace_back(std::make_shared<ConsoleProgress>());
  ReadingOptions reading = options.reading;
  const MemoryBudget budget = budget_of_run(options.memory, reading);
  const auto hold = [&](std::vector<PassData> passes) {
    return hold_passes({.model = *this,
                        .steps = *steps,
                        .what = "evaluate",
                        .passes = std::move(passes),
                        .budget = budget,
                        .callbacks = callbacks});
  };
  std::vector<PassPlan> plans =
      hold(evaluation_passes("evaluate", *steps, with_own_stream(data),
                             batch_choice(data, options.batch_size, options.steps), reading));
  for (PassPlan& plan : plans)
    plan.hold_larger = [&](const PassData& larger) { return hold({larger})[0].full; };
  Evaluation evaluation(*steps, std::move(plans), options.steps);
  TrainingState state(*this);
  evaluation.run(callbacks, state);
  state.print_said();
  return state.logs();
}

Tensor Model::predict(const Tensor& x, const PredictOptions& options) {
  return predict(Columns(x), options)[0];
}

Tensors Model::predict(const Columns& x, const PredictOptions& options) {
  return predict_records(Dataset(x, {}), options);
}

Tensors Model::predict_records(const Dataset& data, const PredictOptions& options) {
  if (data.source == nullptr) throw InvalidArgument("predict: there is no data");
  const auto steps = state_->any_steps();
  return plimsoll::predict(*this, *steps, data, options);
}

Logs Model::train_on_batch(const Columns& x, const Columns& y, const BatchOptions& options) {
  const auto steps = state_->compiled("train_on_batch()");
  const Dataset data(x, y, options.sample_weight);
  return run_on_batch(*steps, class_weighted(*steps, data, options.class_weight), "train_on_batch",
                      StepKind::train);
}

Logs Model::test_on_batch(const Columns& x, const Columns& y, const BatchOptions& options) {
  return run_on_batch(*state_->compiled("test_on_batch()"), Dataset(x, y, options.sample_weight),
                      "test_on_batch", StepKind::evaluate);
}

Tensors Model::predict_on_batch(const Columns& x) {
  const Dataset data(x, {});
  return predict_records(data, {.batch_size = data.source->size()});
}

namespace {

RunRequest plan_request(const Model& model, ModelSteps& steps, const RecordFields& fields,
                        int64_t batch_size, const SavingOptions& saving) {
  const PassData training{.name = "train", .fields = fields, .choice = {.size = batch_size}};
  return {.network = model.network(), .steps = steps, .saving = saving, .training = {training}};
}

}  // namespace

ReplayedStep Model::replay(const std::string& run, int64_t step, const std::string& at) {
  return replay_step(*this, *state_->compiled("replay()"), run, step, at);
}

MemoryPlan Model::plan(const Specs& fields, int64_t batch_size, const FieldMeaning& meaning,
                       const PlanOptions& options) {
  ModelSteps& steps = *state_->compiled("plan()");
  return RunPlanner(plan_request(*this, steps, steps.fields_of(fields, meaning), batch_size,
                                 options.saving),
                    options.budget_bytes)
      .plan();
}

Advice Model::advise(const Specs& fields, int64_t batch_size, const FieldMeaning& meaning,
                     const PlanOptions& options) {
  if (!options.budget_bytes) throw InvalidArgument("advise: expected a budget");
  ModelSteps& steps = *state_->compiled("advise()");
  const RecordFields all = steps.fields_of(fields, meaning);
  const auto request_of = [&](int64_t batch) {
    return plan_request(*this, steps, all, batch, options.saving);
  };
  RunPlanner planner(request_of(batch_size), options.budget_bytes);
  planner.plan();
  return plimsoll::advise(planner, request_of, *options.budget_bytes);
}

TrainingCase Model::examine(const Dataset& data, const ReadingOptions& reading) const {
  return plimsoll::examine(network(), *state_->compiled("examine()"), data, reading);
}

}  // namespace plimsoll
