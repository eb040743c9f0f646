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

Clock& training_clock() {
  return Context::current().part<Clock>();
}

void set_random_seed(int64_t value) {
  Clock& clock = training_clock();
  set_number(clock.seed, value);
  set_number(clock.step, 0);
}

int64_t random_seed() {
  int64_t value;
  std::memcpy(&value, training_clock().seed.data(), sizeof value);
  return value;
}

}  // namespace plimsoll
