#include "plimsoll/nn/optimizers/cosine_decay.h"

#include <cmath>
#include <numbers>

#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/optimizers/schedule_options.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {
namespace {

// From 1 to 0 while `share` goes from 0 to 1.
Tensor half_wave(const Tensor& share) {
  return 0.5 * (1 + cos(std::numbers::pi * share));
}

class CosineDecayBody final : public ScheduleOf<CosineDecayOptions> {
 public:
  explicit CosineDecayBody(const CosineDecayOptions& options) : ScheduleOf(options) {
    check_steps(options.name, "decay_steps", options.decay_steps);
  }
  std::string_view class_name() const override { return "CosineDecay"; }

  Tensor rate(const Tensor& iterations) const override {
    const Tensor step = as_float(iterations);
    if (!options_.warmup_target) return falling(step, options_.initial_learning_rate);
    const double top = *options_.warmup_target;
    const Tensor fallen = falling(maximum(step - options_.warmup_steps, 0), top);
    if (options_.warmup_steps <= 0) return fallen;
    const double rise = top - options_.initial_learning_rate;
    const Tensor risen = rise * (step / options_.warmup_steps) + options_.initial_learning_rate;
    return select(less(step, options_.warmup_steps), risen, fallen);
  }

 private:
  Tensor falling(const Tensor& step, double from) const {
    const Tensor share = minimum(step, options_.decay_steps) / options_.decay_steps;
    return from * ((1 - options_.alpha) * half_wave(share) + options_.alpha);
  }
};

class CosineDecayRestartsBody final : public ScheduleOf<CosineDecayRestartsOptions> {
 public:
  explicit CosineDecayRestartsBody(const CosineDecayRestartsOptions& options)
      : ScheduleOf(options) {
    check_steps(options.name, "first_decay_steps", options.first_decay_steps);
  }
  std::string_view class_name() const override { return "CosineDecayRestarts"; }

  Tensor rate(const Tensor& iterations) const override {
    const Tensor passed = as_float(iterations) / options_.first_decay_steps;
    const auto [restarts, share] = options_.t_mul == 1 ? equal_waves(passed) : growing(passed);
    const Tensor height = power(scalar(options_.m_mul), restarts) * half_wave(share);
    return options_.initial_learning_rate * ((1 - options_.alpha) * height + options_.alpha);
  }

 private:
  // How many waves are over, and how much of the current one.
  struct WavePoint {
    Tensor restarts, share;
  };

  static WavePoint equal_waves(const Tensor& passed) {
    const Tensor restarts = floor(passed);
    return {restarts, passed - restarts};
  }

  // The first n waves take (1 - t_mul^n) / (1 - t_mul) times the steps of the first.
  WavePoint growing(const Tensor& passed) const {
    const double t_mul = options_.t_mul;
    const Tensor restarts = floor(log(1 - passed * (1 - t_mul)) / std::log(t_mul));
    const Tensor length = power(scalar(t_mul), restarts);
    return {restarts, (passed - (1 - length) / (1 - t_mul)) / length};
  }
};

}  // namespace

void describe(Fields& fields, CosineDecayOptions& options) {
  with_rate(fields, options);
  with_steps(fields, "decay_steps", options.decay_steps);
  fields.with("alpha", options.alpha)
      .with("name", options.name)
      .with("warmup_target", options.warmup_target);
  with_steps(fields, "warmup_steps", options.warmup_steps);
}

void describe(Fields& fields, CosineDecayRestartsOptions& options) {
  with_rate(fields, options);
  with_steps(fields, "first_decay_steps", options.first_decay_steps);
  fields.with("t_mul", options.t_mul)
      .with("m_mul", options.m_mul)
      .with("alpha", options.alpha)
      .with("name", options.name);
}

CosineDecay::CosineDecay(const CosineDecayOptions& options)
    : Schedule(std::make_shared<CosineDecayBody>(options)) {}
CosineDecayRestarts::CosineDecayRestarts(const CosineDecayRestartsOptions& options)
    : Schedule(std::make_shared<CosineDecayRestartsBody>(options)) {}

}  // namespace plimsoll
