#include "plimsoll/nn/clock.h"

#include <cstring>
#include <span>

#include "plimsoll/base/random.h"
#include "plimsoll/graph/context.h"
#include "plimsoll/graph/scope.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {
namespace {

void set_number(Variable variable, int64_t value) {
  variable.set_bytes(std::as_bytes(std::span(&value, 1)));
}

int64_t number_of(const Variable& variable) {
  int64_t value;
  std::memcpy(&value, variable.data(), sizeof value);
  return value;
}

}  // namespace

Clock::Clock()
    : seed("random_seed", {DType::int64, {}}, false),
      step("training_step", {DType::int64, {}}, false) {}

RandomState Clock::draw() {
  return draw(seed);
}

RandomState Clock::draw(const Variable& own_seed) {
  const std::string& path = *Scope::current();
  return {own_seed.value(), step.value(), stream_id(path, draws_[path]++), first_sample_};
}

void Clock::tick() {
  step.assign(step.value() + 1);
  draws_.clear();
}

void Clock::restart(const Tensor& first_sample) {
  draws_.clear();
  first_sample_ = first_sample;
}

ClockState Clock::state() const {
  return {number_of(seed), number_of(step), draws_};
}

void Clock::set_state(const ClockState& state) {
  set_number(seed, state.seed);
  set_number(step, state.step);
  draws_ = state.draws;
}

Clock& training_clock() {
  return Context::current().part<Clock>();
}

void set_random_seed(int64_t value) {
  training_clock().set_state({.seed = value});
}

int64_t random_seed() {
  return number_of(training_clock().seed);
}

}  // namespace plimsoll
