#include "plimsoll/train/model.h"

#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/nn/networks/functional.h"
#include "plimsoll/nn/networks/sequential.h"
#include "plimsoll/nn/networks/summary.h"
#include "plimsoll/nn/recurrent/recurrent_layer.h"
#include "plimsoll/report/console_progress.h"
#include "plimsoll/train/callbacks/kept_tensors.h"
#include "plimsoll/train/evaluation.h"
#include "plimsoll/train/fit.h"
#include "plimsoll/train/loop.h"
#include "plimsoll/train/memory/plan_memory.h"
#include "plimsoll/train/memory/plan_to_fit.h"
#include "plimsoll/train/predict.h"
#include "plimsoll/train/steps/model_steps.h"

namespace plimsoll {
namespace {

// A data set holds its own weights.
void refuse_weight(const Columns& sample_weight, const char* what) {
  if (!sample_weight.empty())
    throw InvalidArgument(std::string(what) +
                          ": a Dataset has its sample_weight inside; give it as "
                          "Dataset(x, y, sample_weight)");
}

// What callbacks keep from epoch to epoch is noticed.
FitOptions watched(FitOptions options) {
  options.callbacks.emplace_back(KeptTensors());
  return options;
}

// The whole data as one batch; the metrics of it alone.
Logs run_on_batch(ModelSteps& steps, const Dataset& data, const char* what,
                  BatchStep (ModelSteps::*make)(const RecordFields&, int64_t)) {
  const RecordFields fields = steps.fields_of(data.source->fields(), data);
  Phase phase(what, data.source, {.size = data.source->size()}, true,
              [&](int64_t batch) { return (steps.*make)(fields, batch); });
  steps.objective().reset();
  phase.loader().start_epoch(0);
  phase.begin_batch();
  phase.run_batch();
  Logs logs;
  read_logs(steps.objective(), logs);
  return logs;
}

}  // namespace

struct Model::State {
  explicit State(std::shared_ptr<Network> n) : network(std::move(n)) {}

  // A run holds on to its steps: a callback may compile the model anew.
  std::shared_ptr<ModelSteps> compiled(const char* what) const {
    if (!is_compiled) throw InvalidArgument(network->name() + ": call compile() before " + what);
    return steps;
  }
  // To predict, a model need not be compiled.
  std::shared_ptr<ModelSteps> any_steps() {
    if (!steps) steps = std::make_shared<ModelSteps>(network, CompileOptions{});
    return steps;
  }

  std::shared_ptr<Network> network;
  std::shared_ptr<ModelSteps> steps;
  bool is_compiled = false;
  bool stop_training = false;
};

Model::Model(const Tensors& inputs, const Tensors& outputs, const std::string& name)
    : Model(std::make_shared<FunctionalBody>(inputs, outputs, name)) {}

Model::Model(std::shared_ptr<Network> network)
    : state_(std::make_shared<State>(std::move(network))) {}

Network& Model::network() const {
  return *state_->network;
}

void Model::compile(const CompileOptions& options) {
  state_->steps = std::make_shared<ModelSteps>(state_->network, options);
  state_->is_compiled = true;
}

bool Model::compiled() const {
  return state_->is_compiled;
}

const CompileOptions& Model::compile_options() const {
  return state_->compiled("asking for its options")->options();
}

const Optimizer& Model::optimizer() const {
  return state_->compiled("asking for its optimizer")->optimizer();
}

void Model::reset_states() {
  reset_state(Layer(state_->network));
}

bool& Model::stop_training() const {
  return state_->stop_training;
}

History Model::fit(const Columns& x, const Columns& y, const FitOptions& options) {
  const auto steps = state_->compiled("fit()");
  return plimsoll::fit(*this, *steps, Dataset(x, y, options.sample_weight), watched(options));
}

History Model::fit(const Dataset& data, const FitOptions& options) {
  refuse_weight(options.sample_weight, "fit");
  const auto steps = state_->compiled("fit()");
  return plimsoll::fit(*this, *steps, data, watched(options));
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
  Evaluation evaluation("evaluate", *steps, data,
                        batch_choice(data, options.batch_size, options.steps), options.reading);
  TrainingState state(*this);
  Callbacks callbacks = options.callbacks;
  if (options.verbose > 0) callbacks.emplace_back(std::make_shared<ConsoleProgress>());
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
                      &ModelSteps::train);
}

Logs Model::test_on_batch(const Columns& x, const Columns& y, const BatchOptions& options) {
  return run_on_batch(*state_->compiled("test_on_batch()"), Dataset(x, y, options.sample_weight),
                      "test_on_batch", &ModelSteps::evaluate);
}

Tensors Model::predict_on_batch(const Columns& x) {
  const Dataset data(x, {});
  return predict_records(data, {.batch_size = data.source->size()});
}

MemoryPlan Model::plan(const Specs& fields, int64_t batch_size, const FieldMeaning& meaning,
                       const PlanOptions& options) {
  ModelSteps& steps = *state_->compiled("plan()");
  const RecordFields records = steps.fields_of(fields, meaning);
  const int64_t past_peak = process_memory().peak_resident_bytes;
  const auto plan_once = [&] {
    const BatchStep step = steps.train(records, batch_size);
    const PlannedStep planned{"training", &step};
    PlannedRun run{.network = network(),
                   .optimizer = steps.optimizer(),
                   .steps = std::span(&planned, 1),
                   .part_sums = steps.part_sums(),
                   .past_peak_bytes = past_peak};
    for (const Spec& field : fields) run.input_bytes += field.bytes() * step.sizes.large;
    return plan_memory(run);
  };
  return plan_to_fit({steps, records, batch_size, options.saving, plan_once}, options.budget_bytes);
}

Tensor Model::operator()(const Tensor& x, const CallOptions& options, Place where) const {
  return Layer(state_->network)(x, options, where);
}

Tensors Model::operator()(const Tensors& x, const CallOptions& options, Place where) const {
  return Layer(state_->network)(x, options, where);
}

std::string Model::summary() const {
  Variables optimizer;
  if (compiled() && state_->steps->optimizer()->built())
    optimizer = state_->steps->optimizer()->variables();
  return plimsoll::summary(network(), optimizer);
}

Sequential::Sequential(const Layers& layers, const std::string& name)
    : Model(std::make_shared<SequentialBody>(layers, name)) {}

void Sequential::add(const Layer& layer) {
  static_cast<SequentialBody&>(network()).add(layer);
}

void Sequential::pop() {
  static_cast<SequentialBody&>(network()).pop();
}

}  // namespace plimsoll
