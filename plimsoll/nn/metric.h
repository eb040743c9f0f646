// Metric: a shared handle to a mean over all samples seen since the last reset: accuracy, say. Its
// state is two variables, so an update is part of the step that computes the predictions.
#pragma once

#include <functional>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>

#include "plimsoll/graph/variable.h"

namespace plimsoll {

// (y_true, y_pred) -> one value a sample.
using MetricFunction = std::function<Tensor(const Tensor& y_true, const Tensor& y_pred)>;

class Metric {
 public:
  Metric() = default;
  // By Keras's name of a metric or a loss; "accuracy" chooses its kind by the shapes it sees.
  // InvalidArgument lists the known.
  Metric(const char* name) : Metric(std::string_view(name)) {}
  Metric(const std::string& name) : Metric(std::string_view(name)) {}
  Metric(std::string_view name);
  Metric(std::string name, MetricFunction function);

  bool defined() const { return state_ != nullptr; }
  const std::string& name() const { return state().name; }

  // Recorded; takes effect when the step commits. `sample_weight` may be undefined.
  void update_state(const Tensor& y_true, const Tensor& y_pred, const Tensor& sample_weight = {},
                    std::source_location where = std::source_location::current()) const;
  // The mean so far; 0 before the first update. Evaluates what is pending.
  double result() const;
  void reset_state() const;
  const MetricFunction& function() const { return state().function; }
  // total and count, float32 scalars.
  Variables variables() const { return {state().total, state().count}; }

 protected:
  // Adds values of which axis 0 is the sample.
  void add_values(const Tensor& values, const Tensor& sample_weight,
                  std::source_location where) const;

 private:
  struct State {
    std::string name;
    MetricFunction function;
    Variable total, count;
  };
  // InvalidArgument where the metric is empty.
  const State& state() const;

  std::shared_ptr<const State> state_;
};

struct MeanOptions {
  std::string name = "mean";
};

// The mean of values given directly, a running loss for instance.
struct Mean : Metric {
  explicit Mean(const MeanOptions& options = {});
  void update_state(const Tensor& values, const Tensor& sample_weight = {},
                    std::source_location where = std::source_location::current()) const {
    add_values(values, sample_weight, where);
  }
};

}  // namespace plimsoll
