#include "plimsoll/engine/numbers/first_bad.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/engine/numbers/own_rows.h"

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

// A weight, an input or a constant that is not finite, as an instruction reads it.
struct BadLeaf {
  FirstBad finding;
  bool may_be_meant = false;          // a constant with infinities and no NaN: a mask
  std::pair<bool, size_t> read = {};  // the rank of what reads it first
};

class BadNumberWatch final : public StepWatch {
 public:
  BadNumberWatch(const Program& program, int64_t samples)
      : program_(program),
        samples_(samples),
        makers_(program.makers()),
        has_own_rows_(own_rows(program, samples)),
        bad_(program.values.size()) {}

  void before(const ShownInstruction& shown) override {
    inputs_.clear();
    for (size_t i = 0; i < shown.inputs.size(); ++i) {
      const int value = shown.instruction.inputs[i];
      inputs_.push_back(finite_range(program_.spec(value), shown.inputs[i]));
      if (inputs_.back().is_finite()) continue;
      const int base = base_of(value);
      if (program_.values[at(base)].home != Home::arena) note_leaf(base, shown, i);
    }
  }

  void after(const ShownInstruction& shown) override {
    for (size_t i = 0; i < shown.outputs.size(); ++i) {
      const int value = shown.instruction.outputs[i];
      const Spec& spec = program_.spec(value);
      FiniteRange range = finite_range(spec, shown.outputs[i]);
      if (range.is_finite()) continue;
      const auto instruction =
          static_cast<size_t>(&shown.instruction - program_.instructions.data());
      bad_[at(value)] = static_cast<int>(seen_.size());
      seen_.push_back({instruction, inputs_, std::move(range), {}});
      if (has_own_rows_[at(value)]) seen_.back().rows = bad_rows(spec, shown.outputs[i], samples_);
    }
  }

  // Where the numbers that closed the gates came from: what was bad before the step comes first.
  std::optional<FirstBad> first() {
    const auto gates = std::span(program_.outputs).last(static_cast<size_t>(program_.gate_count));
    for (const int gate : gates) follow_inputs(makers_[at(gate)]);
    if (!bad_leaves_.empty()) return leaves_.at(bad_leaves_[0]).finding;
    if (!roots_.empty()) return of(first_root());
    if (!meant_leaves_.empty()) return leaves_.at(meant_leaves_[0]).finding;
    return std::nullopt;
  }

 private:
  static size_t at(int value) { return static_cast<size_t>(value); }

  // The planner may run a gradient before the loss. What is recorded first is what a person calls
  // first: the forward pass.
  std::pair<bool, size_t> rank(const Instruction& instruction) const {
    return {!instruction.gradient_of.empty(),
            static_cast<size_t>(&instruction - program_.instructions.data())};
  }

  const BadOutput& first_root() const {
    const size_t first = *std::ranges::min_element(roots_, {}, [this](size_t seen) {
      return rank(program_.instructions[seen_[seen].instruction]);
    });
    const Instruction& found = program_.instructions[seen_[first].instruction];
    // The operation itself may have made a bad number that did not reach the gates: the log of 0,
    // where only its gradient is asked for.
    const auto is_forward_of_it = [&](const BadOutput& seen) {
      const Instruction& it = program_.instructions[seen.instruction];
      return it.gradient_of.empty() && it.op->name() == found.gradient_of &&
             it.scope == found.scope && it.where.line == found.where.line &&
             std::string_view(it.where.file) == found.where.file &&
             std::ranges::all_of(seen.inputs, &FiniteRange::is_finite);
    };
    const auto forward = std::ranges::find_if(seen_, is_forward_of_it);
    return found.gradient_of.empty() || forward == seen_.end() ? seen_[first] : *forward;
  }

  // The value whose bytes these are.
  int base_of(int value) const {
    for (int maker = makers_[at(value)];
         maker >= 0 && program_.instructions[at(maker)].op->is_view(); maker = makers_[at(value)])
      value = program_.instructions[at(maker)].inputs[0];
    return value;
  }

  void note_leaf(int value, const ShownInstruction& shown, size_t operand) {
    const ProgramValue& found = program_.values[at(value)];
    if (found.home == Home::output) return;
    const auto order = rank(shown.instruction);
    if (const auto known = leaves_.find(value);
        known != leaves_.end() && known->second.read < order)
      return;
    const bool is_weight = found.home == Home::variable;
    const FiniteRange& range = inputs_[operand];
    BadLeaf leaf{.finding = {.kind = is_weight ? FirstBad::Kind::weight : FirstBad::Kind::input,
                             .op = is_weight ? "weight" : "input",
                             .layer = layer_of(shown.instruction),
                             .where = shown.instruction.where,
                             .output = range},
                 .may_be_meant = found.home == Home::constant && range.nans == 0,
                 .read = order};
    if (is_weight)
      leaf.finding.name = program_.variables[at(found.slot)]->name;
    else
      leaf.finding.rows = bad_rows(found.spec, shown.inputs[operand], samples_);
    if (found.home == Home::input) leaf.finding.input = found.slot;
    leaves_.insert_or_assign(value, std::move(leaf));
  }

  static std::string layer_of(const Instruction& instruction) {
    return instruction.scope == nullptr ? "" : *instruction.scope;
  }

  // Follows what is not finite back to the instructions that made it of finite numbers, and to what
  // was not finite before the step. True if the cause of something was found.
  bool follow_inputs(int instruction) {
    if (instruction < 0) return false;
    const auto [known, is_new] = followed_.emplace(instruction, false);
    if (!is_new) return known->second;
    bool is_found = false;
    for (const int input : program_.instructions[at(instruction)].inputs) is_found |= follow(input);
    return followed_[instruction] = is_found;
  }

  bool follow(int value) {
    value = base_of(value);
    if (const auto leaf = leaves_.find(value); leaf != leaves_.end()) {
      std::vector<int>& list = leaf->second.may_be_meant ? meant_leaves_ : bad_leaves_;
      if (std::ranges::find(list, value) == list.end()) list.push_back(value);
      return !leaf->second.may_be_meant;
    }
    const std::optional<int>& seen = bad_[at(value)];
    if (!seen) return false;
    const BadOutput& output = seen_[at(*seen)];
    if (!std::ranges::all_of(output.inputs, &FiniteRange::is_finite)) {
      if (follow_inputs(makers_[at(value)])) return true;
      // An infinity that is meant, a mask, is no cause: what makes NaN of it is.
      const bool had_nans = std::ranges::any_of(
          output.inputs, [](const FiniteRange& input) { return input.nans > 0; });
      if (output.output.nans == 0 || had_nans) return false;
    }
    roots_.insert(at(*seen));
    return true;
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
  const std::vector<int> makers_;
  const std::vector<bool> has_own_rows_;  // of each value
  std::vector<FiniteRange> inputs_;       // of the instruction that runs
  std::vector<BadOutput> seen_;           // in the order they ran
  std::vector<std::optional<int>> bad_;   // of each value that is not finite: its place in seen_
  std::map<int, BadLeaf> leaves_;         // by value
  std::map<int, bool> followed_;          // instructions, and whether a cause was found there
  std::vector<int> bad_leaves_, meant_leaves_;  // that were come upon
  std::set<size_t> roots_;                      // places in seen_
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
  if (bad.kind == FirstBad::Kind::update)
    return fmt::format(
        "an update before the step: the weight '{}'{} has {}, and had none when the run began",
        bad.name, where, name_of_bad(bad.output));
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
