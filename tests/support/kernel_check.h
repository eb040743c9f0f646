// Runs the float32 kernels of an op in every way that an engine may and compares with float64.
#pragma once

#include <vector>

#include "plimsoll/graph/op.h"

namespace plimsoll::testing {

struct KernelCase {
  const Op& op;
  const Arrays& inputs;
  const Arrays& expected;         // one an output; those of shape (0,) are not compared
  double relative_tolerance = 0;  // of the largest expected value; integers are compared exactly
};

// Every layout the op accepts, on one thread and on three; with each overwriting it allows; with
// inputs that are not aligned. Repeated runs must agree to the bit, inputs must stay as they are,
// and nothing may be written beyond outputs and scratch.
void check_kernels(const KernelCase& kernel_case);

}  // namespace plimsoll::testing
