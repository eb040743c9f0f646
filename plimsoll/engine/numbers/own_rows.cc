#include "plimsoll/engine/numbers/own_rows.h"

#include <algorithm>
#include <utility>

namespace plimsoll {
namespace {

// How a value depends on the records.
enum class Rows { none, own, mixed };

class RowWalk {
 public:
  RowWalk(const Program& program, int64_t samples) : program_(program), samples_(samples) {
    for (const ProgramValue& value : program.values)
      rows_.push_back(value.home == Home::input && has_rows(value.spec) ? Rows::own : Rows::none);
  }

  std::vector<bool> run() {
    for (const Instruction& instruction : program_.instructions) {
      const Rows made = rows_of(instruction);
      for (const int output : instruction.outputs) rows_[static_cast<size_t>(output)] = made;
    }
    std::vector<bool> are_own;
    for (const Rows rows : rows_) are_own.push_back(rows == Rows::own);
    return are_own;
  }

 private:
  bool has_rows(const Spec& spec) const {
    return spec.shape.rank() > 0 && spec.shape[0] == samples_;
  }

  Rows rows_of(const Instruction& instruction) const {
    Rows most = Rows::none;
    for (const int input : instruction.inputs)
      most = std::max(most, rows_[static_cast<size_t>(input)]);
    return most != Rows::own || keeps_apart(instruction) ? most : Rows::mixed;
  }

  bool keeps_apart(const Instruction& instruction) const {
    Specs in, out;
    std::vector<int> in_axes, out_axes;
    for (const int input : instruction.inputs) {
      in.push_back(program_.spec(input));
      in_axes.push_back(rows_[static_cast<size_t>(input)] == Rows::own ? 0 : -1);
    }
    for (const int output : instruction.outputs) {
      out.push_back(program_.spec(output));
      if (!has_rows(out.back())) return false;
      out_axes.push_back(0);
    }
    const SampleAxes axes{in, out, std::move(in_axes), std::move(out_axes), samples_};
    return instruction.op->keeps_samples_apart(axes);
  }

  const Program& program_;
  const int64_t samples_;
  std::vector<Rows> rows_;
};

}  // namespace

std::vector<bool> own_rows(const Program& program, int64_t samples) {
  if (samples < 2) return std::vector<bool>(program.values.size());
  return RowWalk(program, samples).run();
}

}  // namespace plimsoll
