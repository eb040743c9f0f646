#include "plimsoll/nn/optimizers/decay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/optimizers/schedule_options.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {
namespace {

// The step divided by decay_steps; rounded down for a staircase.
Tensor periods(const Tensor& iterations, double decay_steps, bool staircase) {
  const Tensor passed = as_float(iterations) / decay_steps;
  return staircase ? floor(passed) : passed;
}

class ExponentialDecayBody final : public ScheduleOf<ExponentialDecayOptions> {
 public:
  explicit ExponentialDecayBody(const ExponentialDecayOptions& options) : ScheduleOf(options) {
    check_steps(options.name, "decay_steps", options.decay_steps);
  }
  std::string_view class_name() const override { return "ExponentialDecay"; }
  Tensor rate(const Tensor& iterations) const override {
    const Tensor passed = periods(iterations, options_.decay_steps, options_.staircase);
    return options_.initial_learning_rate * power(scalar(options_.decay_rate), passed);
  }
};

class InverseTimeDecayBody final : public ScheduleOf<InverseTimeDecayOptions> {
 public:
  explicit InverseTimeDecayBody(const InverseTimeDecayOptions& options) : ScheduleOf(options) {
    check_steps(options.name, "decay_steps", options.decay_steps);
  }
  std::string_view class_name() const override { return "InverseTimeDecay"; }
  Tensor rate(const Tensor& iterations) const override {
    const Tensor passed = periods(iterations, options_.decay_steps, options_.staircase);
    return options_.initial_learning_rate / (1 + options_.decay_rate * passed);
  }
};

class PolynomialDecayBody final : public ScheduleOf<PolynomialDecayOptions> {
 public:
  explicit PolynomialDecayBody(const PolynomialDecayOptions& options) : ScheduleOf(options) {
    check_steps(options.name, "decay_steps", options.decay_steps);
  }
  std::string_view class_name() const override { return "PolynomialDecay"; }
  Tensor rate(const Tensor& iterations) const override {
    const Tensor step = as_float(iterations), steps = scalar(options_.decay_steps);
    const Tensor share = options_.cycle ? step / (steps * maximum(ceil(step / steps), 1))
                                        : minimum(step, steps) / steps;
    const double fall = options_.initial_learning_rate - options_.end_learning_rate;
    return fall * power(1 - share, scalar(options_.power)) + options_.end_learning_rate;
  }
};

class PiecewiseConstantDecayBody final : public ScheduleOf<PiecewiseConstantDecayOptions> {
 public:
  explicit PiecewiseConstantDecayBody(const PiecewiseConstantDecayOptions& options)
      : ScheduleOf(options) {
    if (options.values.size() != options.boundaries.size() + 1)
      throw InvalidArgument(
          fmt::format("{}: expected one value more than boundaries, found {} and {}", options.name,
                      options.values.size(), options.boundaries.size()));
    if (!std::ranges::is_sorted(options.boundaries))
      throw InvalidArgument(options.name + ": the boundaries must increase");
  }
  std::string_view class_name() const override { return "PiecewiseConstantDecay"; }
  Tensor rate(const Tensor& iterations) const override {
    Tensor value = scalar(options_.values.back());
    for (size_t i = options_.boundaries.size(); i-- > 0;)
      value = select(less_equal(iterations, std::trunc(options_.boundaries[i])),
                     scalar(options_.values[i]), value);
    return value;
  }
};

}  // namespace

void describe(Fields& fields, ExponentialDecayOptions& options) {
  with_rate(fields, options);
  with_steps(fields, "decay_steps", options.decay_steps);
  fields.with("decay_rate", options.decay_rate)
      .with("staircase", options.staircase)
      .with("name", options.name);
}

void describe(Fields& fields, InverseTimeDecayOptions& options) {
  with_rate(fields, options);
  with_steps(fields, "decay_steps", options.decay_steps);
  fields.with("decay_rate", options.decay_rate)
      .with("staircase", options.staircase)
      .with("name", options.name);
}

void describe(Fields& fields, PolynomialDecayOptions& options) {
  with_rate(fields, options);
  with_steps(fields, "decay_steps", options.decay_steps);
  fields.with("end_learning_rate", options.end_learning_rate)
      .with("power", options.power)
      .with("cycle", options.cycle)
      .with("name", options.name);
}

void describe(Fields& fields, PiecewiseConstantDecayOptions& options) {
  with_steps(fields, "boundaries", options.boundaries);
  fields.with("values", options.values).with("name", options.name);
}

ExponentialDecay::ExponentialDecay(const ExponentialDecayOptions& options)
    : Schedule(std::make_shared<ExponentialDecayBody>(options)) {}
InverseTimeDecay::InverseTimeDecay(const InverseTimeDecayOptions& options)
    : Schedule(std::make_shared<InverseTimeDecayBody>(options)) {}
PolynomialDecay::PolynomialDecay(const PolynomialDecayOptions& options)
    : Schedule(std::make_shared<PolynomialDecayBody>(options)) {}
PiecewiseConstantDecay::PiecewiseConstantDecay(const PiecewiseConstantDecayOptions& options)
    : Schedule(std::make_shared<PiecewiseConstantDecayBody>(options)) {}

}  // namespace plimsoll
