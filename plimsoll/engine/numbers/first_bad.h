// Finds where the first number came from that is not finite (NaN or infinite): the operation whose
// output is not finite although its inputs are, or a weight or an input that was not finite before.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/engine/compiled_step.h"

namespace plimsoll {

// The finite numbers of a tensor, and how many are not.
struct FiniteRange {
  Shape shape = {};
  double least = 0, largest = 0;  // 0 where none is finite
  int64_t nans = 0, infinities = 0;

  bool is_finite() const { return nans + infinities == 0; }
};

// Of float32; every other type is finite.
FiniteRange finite_range(const Spec& spec, const std::byte* data);
// "from -3.2 to 14", "from 0 to 0, and 2 that are infinite"
std::string to_string(const FiniteRange& range);

struct FirstBad {
  enum class Kind { operation, weight, input };

  Kind kind = Kind::operation;
  std::string op = {};           // "log"; "weight" and "input" of the other kinds
  std::string gradient_of = {};  // the operation, where `op` belongs to the backward pass
  std::string layer = {};        // its path; of an input or weight, what reads it first
  std::string name = {};         // of the weight
  Place where = {};              // that recorded it
  std::vector<FiniteRange> inputs = {};
  FiniteRange output = {};         // or the weight, or the input
  int input = 0;                   // which, where it is one
  std::vector<int64_t> rows = {};  // samples of the step whose numbers are bad; none: not known
};

// Runs the step, whose inputs are bound and whose gates are closed, and looks at every operand.
// No variable is changed. Samples are rows of the first axis, so many. Nothing if all is finite.
std::optional<FirstBad> find_first_bad(CompiledStep& step, int64_t samples);

// "log, in layer 'head', made -inf of numbers from 0 to 14.2"
std::string to_string(const FirstBad& bad);

}  // namespace plimsoll
