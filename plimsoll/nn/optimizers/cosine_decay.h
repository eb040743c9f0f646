// Schedules that fall as half a wave of the cosine.
#pragma once

#include <optional>

#include "plimsoll/nn/optimizers/schedule.h"

namespace plimsoll {

struct CosineDecayOptions {
  double initial_learning_rate = 0;
  double decay_steps = 0;  // above 0; those of the warm-up come before
  double alpha = 0;        // the share of the rate that is left in the end
  std::string name = "CosineDecay";
  // If set, the rate first rises in a line from the initial one to this, and falls from there.
  std::optional<double> warmup_target = {};
  double warmup_steps = 0;
};
void describe(Fields& fields, CosineDecayOptions& options);

struct CosineDecay : Schedule {
  explicit CosineDecay(const CosineDecayOptions& options);
};

struct CosineDecayRestartsOptions {
  double initial_learning_rate = 0;
  double first_decay_steps = 0;  // above 0
  double t_mul = 2;              // each wave is this many times as long as the one before,
  double m_mul = 1;              // and starts this many times as high
  double alpha = 0;
  std::string name = "SGDRDecay";
};
void describe(Fields& fields, CosineDecayRestartsOptions& options);

struct CosineDecayRestarts : Schedule {
  explicit CosineDecayRestarts(const CosineDecayRestartsOptions& options);
};

}  // namespace plimsoll
