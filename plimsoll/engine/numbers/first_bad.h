// Finds where the first number came from that is not finite (NaN or infinite): the operation whose
// output is not finite although its inputs are, or a weight or an input that was not finite before.
// Of a weight that was finite when a run began, an update of the run is the cause: fit says so.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/base/error.h"
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
  enum class Kind { operation, weight, input, update };

  Kind kind = Kind::operation;
  std::string op = {};           // "log"; "weight", "update" and "input" of the other kinds
  std::string gradient_of = {};  // the operation, where `op` belongs to the backward pass
  std::string layer = {};        // its path; of an input or weight, what reads it first
  std::string name = {};         // of the weight
  Place where = {};              // that recorded it; of an input or weight, what reads it first
  std::vector<FiniteRange> inputs = {};
  FiniteRange output = {};         // or the weight, or the input
  int input = 0;                   // which, where it is one
  std::vector<int64_t> rows = {};  // samples of the step whose numbers are bad; none: not known
};

// The error of a step whose loss or gradients are not finite, if it was found where that began.
class NotFiniteStep : public NotFinite {
 public:
  NotFiniteStep(const std::string& what, FirstBad first, std::vector<std::string> records = {})
      : NotFinite(what), first_(std::move(first)), records_(std::move(records)) {}

  const FirstBad& first() const { return first_; }
  const std::string& operation() const { return first_.op; }
  const std::string& layer() const { return first_.layer; }
  // The names of those that cause it; none in a loop by hand, or if no record or every one does.
  const std::vector<std::string>& records() const { return records_; }
  const Place& line() const { return first_.where; }

 private:
  FirstBad first_;
  std::vector<std::string> records_;
};

// Runs the step, whose inputs are bound and whose gates are closed, and looks at every operand.
// No variable is changed. Samples are rows of the first axis, so many. Nothing if all is finite.
std::optional<FirstBad> find_first_bad(CompiledStep& step, int64_t samples);

// "log, in layer 'head', made -inf of numbers from 0 to 14.2"
std::string to_string(const FirstBad& bad);

}  // namespace plimsoll
