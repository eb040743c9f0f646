// Metric: a shared handle to a number (or a few) about all samples seen since the last reset:
// accuracy, say. Its state is variables, so an update is part of the step that computes the
// predictions; its result is computed from them outside the step.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/graph/place.h"
#include "plimsoll/graph/variable.h"

namespace plimsoll {

class Fields;

// (y_true, y_pred) -> one value per sample.
using MetricFunction = std::function<Tensor(const Tensor& y_true, const Tensor& y_pred)>;

// Which way a metric gets better.
enum class Direction { unknown, up, down };

class MetricBody {
 public:
  explicit MetricBody(std::string name) : name_(std::move(name)) {}
  virtual ~MetricBody() = default;

  // Keras's class name: "AUC"; empty for a function that a program made.
  virtual std::string_view class_name() const = 0;
  virtual void config_fields(Fields& fields) const = 0;
  virtual Direction direction() const { return Direction::unknown; }

  // Records new values of the variables. `sample_weight` may be undefined.
  virtual void update(const Tensor& y_true, const Tensor& y_pred, const Tensor& sample_weight) = 0;
  // Computed from the variables as they are, which must have no pending update; allocates nothing.
  // The mean if results() has several.
  virtual double result() const = 0;
  virtual std::vector<double> results() const { return {result()}; }

  const std::string& name() const { return name_; }
  // Those that exist so far: some metrics make theirs when they see the first shapes.
  const Variables& variables() const { return variables_; }
  void reset_state();

 protected:
  // A new variable of zeros.
  Variable add_variable(const std::string& what, const Spec& spec);
  // Variable += value, recorded.
  static void add(Variable variable, const Tensor& value);
  // Throws InvalidArgument that begins with the metric's name.
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  std::string name_;
  Variables variables_;
};

class Metric {
 public:
  Metric() = default;
  // By Keras's name of a metric or a loss; "accuracy" chooses its kind by the shapes it sees.
  // InvalidArgument lists the known names.
  Metric(const char* name) : Metric(std::string_view(name)) {}
  Metric(const std::string& name) : Metric(std::string_view(name)) {}
  Metric(std::string_view name);
  // The mean of a function that the program gives.
  Metric(std::string name, MetricFunction function);
  explicit Metric(std::shared_ptr<MetricBody> body) : body_(std::move(body)) {}

  bool defined() const { return body_ != nullptr; }
  const std::string& name() const { return body().name(); }
  Direction direction() const { return body().direction(); }

  // Recorded; takes effect when the step commits. `sample_weight` may be undefined.
  void update_state(const Tensor& y_true, const Tensor& y_pred, const Tensor& sample_weight = {},
                    Place where = Place::here()) const;
  // The value now; 0 before the first update. Evaluates pending updates.
  double result() const { return body().result(); }
  // More than one if there is one per class or per threshold.
  std::vector<double> results() const { return body().results(); }
  void reset_state() const { body().reset_state(); }
  const Variables& variables() const { return body().variables(); }

  // The name by which it was requested ("mse"); empty if it was made by its class.
  const std::string& asked_name() const { return asked_name_; }
  // InvalidArgument if the metric is empty.
  MetricBody& body() const;

 private:
  std::shared_ptr<MetricBody> body_;
  std::string asked_name_;
};

// The options of a metric that has no others.
struct MetricOptions {
  std::string name = {};  // empty: Keras's for the kind
};
void describe(Fields& fields, MetricOptions& options);

// The elements of a float32 variable, after evaluating pending updates.
const float* floats_of(const Variable& variable);

}  // namespace plimsoll
