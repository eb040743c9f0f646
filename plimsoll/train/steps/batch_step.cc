#include "plimsoll/train/steps/batch_step.h"

namespace plimsoll {
namespace {

double seconds_of(const BatchStep::Pair& pair, const PartSizes& sizes) {
  double seconds = 0;
  if (pair.large != nullptr)
    seconds += static_cast<double>(sizes.large_count) * pair.large->memory().seconds;
  if (pair.small != nullptr)
    seconds += static_cast<double>(sizes.count - sizes.large_count) * pair.small->memory().seconds;
  return seconds;
}

}  // namespace

double BatchStep::seconds() const {
  return seconds_of(divisors, sizes) + seconds_of(parts, sizes) +
         (end != nullptr ? end->memory().seconds : 0);
}

}  // namespace plimsoll
