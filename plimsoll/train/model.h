// Model: a network that can be trained: compile, fit, evaluate, predict, as in Keras.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "plimsoll/data/source.h"
#include "plimsoll/nn/loss.h"
#include "plimsoll/nn/metric.h"
#include "plimsoll/nn/network.h"
#include "plimsoll/nn/optimizer.h"
#include "plimsoll/record/run_observer.h"
#include "plimsoll/train/memory_plan.h"

namespace plimsoll {

// One loss for all outputs, or one each.
struct Losses : std::vector<Loss> {
  Losses() = default;
  Losses(const char* name) : Losses(Loss(name)) {}
  Losses(const std::string& name) : Losses(Loss(name)) {}
  Losses(const Loss& loss) : std::vector<Loss>{loss} {}
  Losses(std::initializer_list<Loss> losses) : std::vector<Loss>(losses) {}
};

struct CompileOptions {
  Optimizer optimizer = "rmsprop";
  Losses loss = {};
  std::vector<Metric> metrics = {};       // each for every output
  std::vector<double> loss_weights = {};  // one an output; none: 1 each
};

// Data that is in memory: axis 0 of each tensor is the sample.
struct Dataset {
  Dataset() = default;
  Dataset(const Tensor& x, const Tensor& y) : Dataset(Tensors{x}, Tensors{y}) {}
  Dataset(const Tensors& x, const Tensors& y);
  Dataset(SourcePtr records) : source(std::move(records)) {}

  SourcePtr source;  // fields: the model's inputs, then its targets
};

struct FitOptions {
  int64_t epochs = 1;
  int64_t batch_size = 32;
  bool shuffle = true;
  Dataset validation_data = {};
  double validation_split = 0;  // the last part of the data, as Keras
  int verbose = 1;              // 0: silent; 1: a line an epoch
  std::vector<std::shared_ptr<RunObserver>> observers = {};
};

// The metrics after each epoch: "loss", "accuracy", "val_loss", …
struct History {
  std::map<std::string, std::vector<double>> epochs;
  MemoryPlan memory;                // as planned before the first step
  int64_t measured_peak_bytes = 0;  // of the process, after the last
};

struct EvaluateOptions {
  int64_t batch_size = 32;
};
using PredictOptions = EvaluateOptions;

// A shared handle.
class Model {
 public:
  Model(const Tensors& inputs, const Tensors& outputs, const std::string& name = "");

  void compile(const CompileOptions& options);

  History fit(const Tensor& x, const Tensor& y, const FitOptions& options = {});
  History fit(const Dataset& data, const FitOptions& options = {});
  // By metric name.
  std::map<std::string, double> evaluate(const Tensor& x, const Tensor& y,
                                         const EvaluateOptions& options = {});
  std::map<std::string, double> evaluate(const Dataset& data, const EvaluateOptions& options = {});
  Tensor predict(const Tensor& x, const PredictOptions& options = {});
  Tensors predict(const Tensors& x, const PredictOptions& options = {});

  // The memory of a training step at a batch size, without training: records of these specs.
  MemoryPlan plan(const Specs& fields, int64_t batch_size);

  // Builds the graph of a call, for loops written by hand.
  Tensor operator()(const Tensor& x, const CallOptions& options = {},
                    std::source_location where = std::source_location::current()) const;
  Tensors operator()(const Tensors& x, const CallOptions& options = {},
                     std::source_location where = std::source_location::current()) const;

  Variables weights() const;
  Variables trainable_variables() const;
  std::string summary() const;
  Network& network() const;

 protected:
  explicit Model(std::shared_ptr<Network> network);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

class Sequential : public Model {
 public:
  explicit Sequential(const Layers& layers = {}, const std::string& name = "");
  void add(const Layer& layer);
};

}  // namespace plimsoll
