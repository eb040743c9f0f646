#include "plimsoll/nn/optimizers/schedule.h"

namespace plimsoll {

double Schedule::at(int64_t iterations) const {
  return (*this)(scalar(static_cast<double>(iterations), DType::int64)).item();
}

}  // namespace plimsoll
