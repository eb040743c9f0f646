// Schedules that fall by a formula of the number of steps.
#pragma once

#include <vector>

#include "plimsoll/nn/optimizers/schedule.h"

namespace plimsoll {

struct ExponentialDecayOptions {
  double initial_learning_rate = 0;
  double decay_steps = 0;  // above 0
  double decay_rate = 0;
  bool staircase = false;  // falls once in decay_steps rather than a little each step
  std::string name = "ExponentialDecay";
};
void describe(Fields& fields, ExponentialDecayOptions& options);

// initial_learning_rate * decay_rate ^ (step / decay_steps).
struct ExponentialDecay : Schedule {
  explicit ExponentialDecay(const ExponentialDecayOptions& options);
};

struct InverseTimeDecayOptions {
  double initial_learning_rate = 0;
  double decay_steps = 0;  // above 0
  double decay_rate = 0;
  bool staircase = false;
  std::string name = "InverseTimeDecay";
};
void describe(Fields& fields, InverseTimeDecayOptions& options);

// initial_learning_rate / (1 + decay_rate * step / decay_steps).
struct InverseTimeDecay : Schedule {
  explicit InverseTimeDecay(const InverseTimeDecayOptions& options);
};

struct PolynomialDecayOptions {
  double initial_learning_rate = 0;
  double decay_steps = 0;  // above 0
  double end_learning_rate = 0.0001;
  double power = 1;
  bool cycle = false;  // starts again beyond decay_steps, with twice, three times, … as many
  std::string name = "PolynomialDecay";
};
void describe(Fields& fields, PolynomialDecayOptions& options);

// From the initial to the end rate by (1 - step / decay_steps) ^ power.
struct PolynomialDecay : Schedule {
  explicit PolynomialDecay(const PolynomialDecayOptions& options);
};

struct PiecewiseConstantDecayOptions {
  std::vector<double> boundaries = {};  // increasing; whole steps
  std::vector<double> values = {};      // one more
  std::string name = "PiecewiseConstant";
};
void describe(Fields& fields, PiecewiseConstantDecayOptions& options);

// values[i] up to and with step boundaries[i].
struct PiecewiseConstantDecay : Schedule {
  explicit PiecewiseConstantDecay(const PiecewiseConstantDecayOptions& options);
};

}  // namespace plimsoll
