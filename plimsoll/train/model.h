// Model: a network that can be trained: compile, fit, evaluate, predict, as in Keras.
#pragma once

#include <concepts>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "plimsoll/graph/place.h"
#include "plimsoll/nn/networks/network.h"
#include "plimsoll/train/callbacks/history.h"
#include "plimsoll/train/compile_options.h"
#include "plimsoll/train/data/dataset.h"
#include "plimsoll/train/fit_options.h"
#include "plimsoll/train/memory/advice.h"
#include "plimsoll/train/memory/memory_plan.h"
#include "plimsoll/train/replayed_step.h"

namespace plimsoll {

struct ModelState;
class PlannedFit;
struct TrainingCase;

// A shared handle.
class Model {
 public:
  Model(const Tensors& inputs, const Tensors& outputs, const std::string& name = "");
  explicit Model(std::shared_ptr<Network> network);

  // A loss may come later, or be left to regularizers: fit and evaluate ask for it.
  void compile(const CompileOptions& options);
  bool compiled() const;
  // InvalidArgument before compile().
  const CompileOptions& compile_options() const;
  const Optimizer& optimizer() const;

  History fit(const Columns& x, const Columns& y, const FitOptions& options = {});
  History fit(const Dataset& data, const FitOptions& options = {});
  // The run of fit, planned and not begun: its weights need no values and no memory before it runs.
  PlannedFit plan_fit(const Dataset& data, const FitOptions& options = {});
  // By the names of Keras's logs.
  Logs evaluate(const Columns& x, const Columns& y, const EvaluateOptions& options = {});
  Logs evaluate(const Dataset& data, const EvaluateOptions& options = {});
  Tensor predict(const Tensor& x, const PredictOptions& options = {});
  Tensors predict(const Columns& x, const PredictOptions& options = {});
  // Only the inputs of the records matter. (A template, so that {a, b} means two inputs.)
  template <std::same_as<Dataset> Data>
  Tensors predict(const Data& data, const PredictOptions& options = {}) {
    return predict_records(data, options);
  }

  // One step on one batch; the metrics are those of the batch alone.
  Logs train_on_batch(const Columns& x, const Columns& y, const BatchOptions& options = {});
  Logs test_on_batch(const Columns& x, const Columns& y, const BatchOptions& options = {});
  Tensors predict_on_batch(const Columns& x);

  // Stateful recurrent layers begin with zeros again.
  void reset_states();

  // Ends fit after the current batch when it is set; fit begins with false.
  bool& stop_training() const;

  // The memory of a training step at a batch size, without training: records of these specs.
  MemoryPlan plan(const Specs& fields, int64_t batch_size, const FieldMeaning& meaning = {},
                  const PlanOptions& options = {});
  // For a plan that is over options.budget_bytes: the memory that would be enough, and a batch that
  // fits.
  Advice advise(const Specs& fields, int64_t batch_size, const FieldMeaning& meaning,
                const PlanOptions& options);

  // Runs a step again that RUN/bad-steps has kept, because its loss or gradients were not finite,
  // and shows its operations. The model, which is compiled, then is as it was before the step.
  // `at` is the name of a layer or of an operation; empty: all are shown. CorruptFile where the
  // file is damaged or that of another model, InvalidArgument if nothing is called `at`.
  ReplayedStep replay(const std::string& run, int64_t step, const std::string& at = "");

  // What the doctor's rules read about the model, which is compiled, and about data, if there is
  // some: see diagnose().
  TrainingCase examine(const Dataset& data = {}, const ReadingOptions& reading = {}) const;

  // Builds the graph of a call, for loops written by hand.
  Tensor operator()(const Tensor& x, const CallOptions& options = {},
                    Place where = Place::here()) const;
  Tensors operator()(const Tensors& x, const CallOptions& options = {},
                     Place where = Place::here()) const;

  const std::string& name() const;
  Variables weights() const;
  Variables trainable_variables() const;
  Variables non_trainable_variables() const;
  // Copies, in the order of weights(). Setting throws where number or shapes differ.
  Tensors get_weights() const;
  void set_weights(const Tensors& values);
  int64_t count_params() const;
  Layers layers() const;
  // InvalidArgument lists the layers where there is none of this name.
  Layer get_layer(const std::string& name) const;
  std::string summary() const;

  // By the file's extension (model_file.h, weight_file.h); load_model() is the way back.
  void save(const std::string& path) const;
  void save_weights(const std::string& path) const;
  void load_weights(const std::string& path);

  Network& network() const;

 private:
  Logs evaluate_records(const Dataset& data, const EvaluateOptions& options);
  Tensors predict_records(const Dataset& data, const PredictOptions& options);

  std::shared_ptr<ModelState> state_;
};

class Sequential : public Model {
 public:
  explicit Sequential(const Layers& layers = {}, const std::string& name = "");
  void add(const Layer& layer);
  // Takes the last layer away.
  void pop();
};

}  // namespace plimsoll
