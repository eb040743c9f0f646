#include "plimsoll/engine/numbers/first_bad.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

// What was seen of an instruction whose outputs are not finite.
struct BadOutput {
  size_t instruction = 0;
  std::vector<FiniteRange> inputs;
  FiniteRange output;
  std::vector<int64_t> rows;
};

// The rows of the first axis that have a number which is not finite. The batch is the outermost
// axis in every layout.
std::vector<int64_t> bad_rows(const Spec& spec, const std::byte* data, int64_t samples) {
  std::vector<int64_t> rows;
  if (spec.shape.rank() == 0 || spec.shape[0] != samples || samples < 2) return rows;
  const auto* numbers = reinterpret_cast<const float*>(data);
  const int64_t width = spec.shape.elements() / samples;
  for (int64_t row = 0; row < samples; ++row)
    if (!std::all_of(numbers + row * width, numbers + (row + 1) * width,
                     [](float number) { return std::isfinite(number); }))
      rows.push_back(row);
  return rows;
}

// True if row i of the outputs comes from row i of the inputs alone.
bool keeps_rows_apart(const Program& program, const Instruction& instruction, int64_t samples) {
  if (!instruction.gradient_of.empty()) return false;
  Specs in, out;
  const auto axes_of = [&](const std::vector<int>& values, Specs& specs) {
    std::vector<int> axes;
    for (const int value : values) {
      specs.push_back(program.spec(value));
      const Shape& shape = specs.back().shape;
      axes.push_back(shape.rank() > 0 && shape[0] == samples ? 0 : -1);
    }
    return axes;
  };
  std::vector<int> in_axes = axes_of(instruction.inputs, in);
  std::vector<int> out_axes = axes_of(instruction.outputs, out);
  const SampleAxes axes{in, out, std::move(in_axes), std::move(out_axes), samples};
  return axes.out_axes[0] == 0 && instruction.op->keeps_samples_apart(axes);
}

class BadNumberWatch final : public StepWatch {
 public:
  BadNumberWatch(const Program& program, int64_t samples)
      : program_(program), samples_(samples), bad_(program.values.size()) {}

  void before(const ShownInstruction& shown) override {
    inputs_.clear();
    for (size_t i = 0; i < shown.inputs.size(); ++i) {
      const int value = shown.instruction.inputs[i];
      inputs_.push_back(finite_range(program_.spec(value), shown.inputs[i]));
      if (!inputs_.back().is_finite() && program_.values[at(value)].home != Home::arena)
        note_leaf(value, shown, i);
    }
  }

  void after(const ShownInstruction& shown) override {
    const bool are_apart = samples_ > 1 && keeps_rows_apart(program_, shown.instruction, samples_);
    for (size_t i = 0; i < shown.outputs.size(); ++i) {
      const int value = shown.instruction.outputs[i];
      const Spec& spec = program_.spec(value);
      FiniteRange range = finite_range(spec, shown.outputs[i]);
      if (range.is_finite()) continue;
      const auto instruction =
          static_cast<size_t>(&shown.instruction - program_.instructions.data());
      bad_[at(value)] = static_cast<int>(seen_.size());
      seen_.push_back({instruction, inputs_, std::move(range), {}});
      if (are_apart) seen_.back().rows = bad_rows(spec, shown.outputs[i], samples_);
    }
  }

  // Where the numbers that closed the gates came from.
  std::optional<FirstBad> first() {
    makers_ = program_.makers();
    const auto gates = std::span(program_.outputs).last(static_cast<size_t>(program_.gate_count));
    for (const int gate : gates) follow_inputs(makers_[at(gate)]);
    if (!roots_.empty()) return of(seen_[*roots_.begin()]);
    return leaf_;
  }

 private:
  static size_t at(int value) { return static_cast<size_t>(value); }

  // A weight or an input that was not finite before the step.
  void note_leaf(int value, const ShownInstruction& shown, size_t operand) {
    if (leaf_) return;
    const ProgramValue& found = program_.values[at(value)];
    if (found.home != Home::variable && found.home != Home::input) return;
    const bool is_weight = found.home == Home::variable;
    leaf_ = FirstBad{.kind = is_weight ? FirstBad::Kind::weight : FirstBad::Kind::input,
                     .op = is_weight ? "weight" : "input",
                     .layer = layer_of(shown.instruction),
                     .where = shown.instruction.where,
                     .output = inputs_[operand],
                     .input = is_weight ? 0 : found.slot};
    if (is_weight)
      leaf_->name = program_.variables[at(found.slot)]->name;
    else
      leaf_->rows = bad_rows(found.spec, shown.inputs[operand], samples_);
  }

  static std::string layer_of(const Instruction& instruction) {
    return instruction.scope == nullptr ? "" : *instruction.scope;
  }

  // Follows what is not finite back to the instructions that made it of finite numbers.
  void follow_inputs(int instruction) {
    if (instruction < 0 || !followed_.insert(instruction).second) return;
    for (const int input : program_.instructions[at(instruction)].inputs) follow(input);
  }

  void follow(int value) {
    const int maker = makers_[at(value)];
    if (maker < 0) return;
    const Instruction& made_by = program_.instructions[at(maker)];
    if (made_by.op->is_view()) return follow(made_by.inputs[0]);
    const std::optional<int>& seen = bad_[at(value)];
    if (!seen) return;
    const BadOutput& output = seen_[at(*seen)];
    const bool makes_it = std::ranges::all_of(output.inputs, &FiniteRange::is_finite);
    if (makes_it)
      roots_.insert(at(*seen));
    else
      follow_inputs(maker);
  }

  FirstBad of(const BadOutput& found) const {
    const Instruction& instruction = program_.instructions[found.instruction];
    return {.kind = FirstBad::Kind::operation,
            .op = std::string(instruction.op->name()),
            .gradient_of = std::string(instruction.gradient_of),
            .layer = layer_of(instruction),
            .where = instruction.where,
            .inputs = found.inputs,
            .output = found.output,
            .rows = found.rows};
  }

  const Program& program_;
  const int64_t samples_;
  std::vector<FiniteRange> inputs_;      // of the instruction that runs
  std::vector<BadOutput> seen_;          // in the order they ran
  std::vector<std::optional<int>> bad_;  // of each value that is not finite: its place in seen_
  std::vector<int> makers_;
  std::set<int> followed_;
  std::set<size_t> roots_;  // places in seen_; the first ran first
  std::optional<FirstBad> leaf_;
};

std::string name_of_bad(const FiniteRange& range) {
  if (range.nans > 0 && range.infinities > 0) return "NaN and infinite numbers";
  return range.nans > 0 ? "NaN" : "infinite numbers";
}

}  // namespace

FiniteRange finite_range(const Spec& spec, const std::byte* data) {
  FiniteRange range{.shape = spec.shape};
  if (spec.dtype != DType::float32) return range;
  const auto* numbers = reinterpret_cast<const float*>(data);
  float least = std::numeric_limits<float>::infinity(), largest = -least;
  for (int64_t i = 0; i < spec.shape.elements(); ++i) {
    const float number = numbers[i];
    if (std::isfinite(number)) {
      least = std::min(least, number);
      largest = std::max(largest, number);
    } else {
      ++(std::isnan(number) ? range.nans : range.infinities);
    }
  }
  if (least <= largest) range.least = least, range.largest = largest;
  return range;
}

std::string to_string(const FiniteRange& range) {
  std::string text = fmt::format("from {:.4g} to {:.4g}", range.least, range.largest);
  if (range.nans > 0) text += fmt::format(", and {} NaN", range.nans);
  if (range.infinities > 0) text += fmt::format(", and {} infinite", range.infinities);
  return text;
}

std::optional<FirstBad> find_first_bad(CompiledStep& step, int64_t samples) {
  BadNumberWatch watch(step.program(), samples);
  try {
    step.compute_watched(watch);
  } catch (const NotFinite&) {
    return watch.first();
  }
  return std::nullopt;
}

std::string to_string(const FirstBad& bad) {
  const std::string where = bad.layer.empty() ? "" : fmt::format(" in layer '{}'", bad.layer);
  if (bad.kind == FirstBad::Kind::weight)
    return fmt::format("the weight '{}'{} has {} before the step", bad.name, where,
                       name_of_bad(bad.output));
  if (bad.kind == FirstBad::Kind::input)
    return fmt::format("the data that is read{} has {}", where, name_of_bad(bad.output));
  std::string text = fmt::format(
      "{}{}{} made {}", bad.op,
      bad.gradient_of.empty() ? "" : fmt::format(" (in the gradient of {})", bad.gradient_of),
      where, name_of_bad(bad.output));
  for (size_t i = 0; i < bad.inputs.size(); ++i)
    text += fmt::format("{} numbers {}", i == 0 ? " of" : " and", to_string(bad.inputs[i]));
  return text;
}

}  // namespace plimsoll
