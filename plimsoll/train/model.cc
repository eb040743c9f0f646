#include "plimsoll/train/model.h"

#include <cstring>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/nn/functional.h"
#include "plimsoll/nn/sequential.h"
#include "plimsoll/nn/summary.h"
#include "plimsoll/train/fit.h"
#include "plimsoll/train/model_steps.h"
#include "plimsoll/train/phase.h"
#include "plimsoll/train/plan_memory.h"

namespace plimsoll {
namespace {

HostTensor to_host(const Tensor& tensor) {
  const std::byte* data = tensor.data();
  auto& values = tensor.value().node->values;
  if (!values.empty()) return {tensor.spec(), values[static_cast<size_t>(tensor.value().output)]};
  // A variable's value: it changes, so it is copied.
  auto copy = std::make_shared<Storage>(tensor.spec().bytes());
  std::memcpy(copy->data(), data, static_cast<size_t>(tensor.spec().bytes()));
  return {tensor.spec(), std::move(copy)};
}

SourcePtr slices(const Tensors& x, const Tensors& y) {
  std::vector<HostTensor> columns;
  for (const Tensor& tensor : x) columns.push_back(to_host(tensor));
  for (const Tensor& tensor : y) columns.push_back(to_host(tensor));
  return from_tensor_slices(std::move(columns));
}

}  // namespace

struct Model::State {
  explicit State(std::shared_ptr<Network> n) : network(std::move(n)) {}

  ModelSteps& compiled(const char* what) {
    if (!steps || !is_compiled)
      throw InvalidArgument(network->name() + ": call compile() before " + what + "()");
    return *steps;
  }

  std::shared_ptr<Network> network;
  std::unique_ptr<ModelSteps> steps;
  bool is_compiled = false;
};

Dataset::Dataset(const Tensors& x, const Tensors& y) : source(slices(x, y)) {}

Model::Model(const Tensors& inputs, const Tensors& outputs, const std::string& name)
    : Model(std::make_shared<FunctionalBody>(inputs, outputs, name)) {}

Model::Model(std::shared_ptr<Network> network)
    : state_(std::make_shared<State>(std::move(network))) {}

Network& Model::network() const {
  return *state_->network;
}

void Model::compile(const CompileOptions& options) {
  if (options.loss.empty())
    throw InvalidArgument(network().name() +
                          ": compile needs a loss, for instance .loss = \"mse\"");
  state_->steps = std::make_unique<ModelSteps>(state_->network, options);
  state_->is_compiled = true;
}

History Model::fit(const Tensor& x, const Tensor& y, const FitOptions& options) {
  return fit(Dataset(x, y), options);
}

History Model::fit(const Dataset& data, const FitOptions& options) {
  return plimsoll::fit(*state_->network, state_->compiled("fit"), data, options);
}

std::map<std::string, double> Model::evaluate(const Tensor& x, const Tensor& y,
                                              const EvaluateOptions& options) {
  return evaluate(Dataset(x, y), options);
}

std::map<std::string, double> Model::evaluate(const Dataset& data, const EvaluateOptions& options) {
  ModelSteps& steps = state_->compiled("evaluate");
  Phase phase("evaluate", data.source, options.batch_size,
              [&](const Specs& fields, int64_t batch) { return steps.evaluate(fields, batch); });
  steps.reset_metrics();
  for (int64_t i = 0; i < phase.batches().batch_count(); ++i) phase.run(i);
  std::vector<double> values(steps.metric_names().size());
  steps.read_metrics(values);
  std::map<std::string, double> result;
  for (size_t i = 0; i < values.size(); ++i) result[steps.metric_names()[i]] = values[i];
  return result;
}

Tensor Model::predict(const Tensor& x, const PredictOptions& options) {
  return predict(Tensors{x}, options)[0];
}

Tensors Model::predict(const Tensors& x, const PredictOptions& options) {
  if (!state_->steps)
    state_->steps = std::make_unique<ModelSteps>(state_->network, CompileOptions{});
  Phase phase(
      "predict", slices(x, {}), options.batch_size,
      [&](const Specs& fields, int64_t batch) { return state_->steps->predict(fields, batch); });
  const int64_t samples = phase.batches().source().size();
  std::vector<HostTensor> results;
  for (int output : phase.step().program().outputs) {
    Spec spec = phase.step().program().spec(output);
    spec.shape[0] = samples;
    results.push_back({spec, std::make_shared<Storage>(spec.bytes())});
  }
  int64_t done = 0;
  for (int64_t i = 0; i < phase.batches().batch_count(); ++i) {
    const CompiledStep& step = phase.run(i);
    const int64_t count = phase.batches().records_of(i);
    for (size_t o = 0; o < results.size(); ++o) {
      const int64_t row_bytes = results[o].spec.bytes() / samples;
      std::memcpy(results[o].storage->data() + done * row_bytes,
                  step.output(static_cast<int>(o))->data(), static_cast<size_t>(count * row_bytes));
    }
    done += count;
  }
  Tensors tensors;
  for (HostTensor& result : results) tensors.push_back(wrap(result.storage, result.spec));
  return tensors;
}

MemoryPlan Model::plan(const Specs& fields, int64_t batch_size) {
  ModelSteps& steps = state_->compiled("plan");
  const ModelSteps::StepPtr step = steps.train(fields, batch_size);
  int64_t input_bytes = 0;
  for (const Spec& field : fields) input_bytes += field.bytes() * batch_size;
  const PlannedStep planned{"training", step.get()};
  return plan_memory(network(), steps.optimizer(), std::span(&planned, 1), batch_size, input_bytes,
                     0);
}

Tensor Model::operator()(const Tensor& x, const CallOptions& options,
                         std::source_location where) const {
  return Layer(state_->network)(x, options, where);
}

Tensors Model::operator()(const Tensors& x, const CallOptions& options,
                          std::source_location where) const {
  return Layer(state_->network)(x, options, where);
}

Variables Model::weights() const {
  return network().weights();
}

Variables Model::trainable_variables() const {
  return network().trainable_variables();
}

std::string Model::summary() const {
  Variables optimizer;
  if (state_->is_compiled && state_->steps->optimizer()->built())
    optimizer = state_->steps->optimizer()->variables();
  return plimsoll::summary(network(), optimizer);
}

Sequential::Sequential(const Layers& layers, const std::string& name)
    : Model(std::make_shared<SequentialBody>(layers, name)) {}

void Sequential::add(const Layer& layer) {
  static_cast<SequentialBody&>(network()).add(layer);
}

}  // namespace plimsoll
