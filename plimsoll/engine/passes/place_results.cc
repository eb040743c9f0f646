#include <algorithm>
#include <set>

#include "plimsoll/engine/passes/passes.h"
#include "plimsoll/ops/movement/copy.h"

namespace plimsoll {
namespace {

// An op that updates a variable may write straight into its storage if it is the last to read it.
// Such ops run in the commit stage, and so does all that depends on them.
class Placement {
 public:
  explicit Placement(Program& program)
      : program_(program), makers_(program.makers()), owners_(owners()) {}

  void run() {
    choose_in_place();
    for (size_t i = 0; i < program_.instructions.size(); ++i)
      if (late_.contains(static_cast<int>(i))) program_.instructions[i].stage = Stage::commit;
    for (auto& write : program_.writes) place_write(write);
    for (size_t i = 0; i < program_.outputs.size(); ++i) place_output(static_cast<int>(i));
  }

 private:
  // The value that owns the bytes of each value: itself, or what it is a view of.
  std::vector<int> owners() const {
    std::vector<int> owners(program_.values.size());
    for (size_t v = 0; v < owners.size(); ++v) owners[v] = static_cast<int>(v);
    for (const Instruction& instruction : program_.instructions)
      if (instruction.op->is_view())
        owners[static_cast<size_t>(instruction.outputs[0])] =
            owners[static_cast<size_t>(instruction.inputs[0])];
    return owners;
  }
  int owner(int value) const { return owners_[static_cast<size_t>(value)]; }
  int maker(int value) const { return makers_[static_cast<size_t>(value)]; }
  ProgramValue& value(int v) { return program_.values[static_cast<size_t>(v)]; }

  // True if the maker of the written value declares that it may overwrite the variable it reads.
  bool writes_in_place(const Program::VariableWrite& write) const {
    if (maker(write.value) < 0) return false;
    const Instruction& instruction = program_.instructions[static_cast<size_t>(maker(write.value))];
    const int read = program_.variable_values[static_cast<size_t>(write.variable)];
    for (const Overwrite& row : instruction.op->may_overwrite())
      if (instruction.outputs[static_cast<size_t>(row.output)] == write.value &&
          instruction.inputs[static_cast<size_t>(row.input)] == read &&
          std::count(instruction.inputs.begin(), instruction.inputs.end(), read) == 1)
        return true;
    return false;
  }

  void choose_in_place() {
    for (const auto& write : program_.writes)
      if (writes_in_place(write)) (is_early(write) ? early_ : in_place_).insert(write.value);
    do late_ = makers_and_dependents(in_place_);
    while (demote_one());
  }

  // A scratch variable that only one instruction reads is written by it at once. With
  // updates_early, so is what an optimizer updates, after every reader of the old value.
  bool is_early(const Program::VariableWrite& write) const {
    const Instruction& made_by = program_.instructions[static_cast<size_t>(maker(write.value))];
    if (program_.updates_early && made_by.op->name().ends_with("_update")) return true;
    return program_.variables[static_cast<size_t>(write.variable)]->is_scratch &&
           program_.readers_before(write).empty();
  }

  std::set<int> makers_and_dependents(const std::set<int>& values) const {
    std::set<int> late, late_values(values);
    for (size_t i = 0; i < program_.instructions.size(); ++i) {
      const Instruction& instruction = program_.instructions[i];
      const auto is_late = [&](int v) { return late_values.contains(v); };
      if (std::any_of(instruction.inputs.begin(), instruction.inputs.end(), is_late) ||
          std::any_of(instruction.outputs.begin(), instruction.outputs.end(), is_late)) {
        late.insert(static_cast<int>(i));
        late_values.insert(instruction.outputs.begin(), instruction.outputs.end());
      }
    }
    return late;
  }

  // Takes back a choice that is not safe: another late instruction reads the variable, or a gate
  // would wait for the commit.
  bool demote_one() {
    for (int i = 0; i < program_.gate_count; ++i) {
      const int gate = program_.outputs[program_.outputs.size() - 1 - static_cast<size_t>(i)];
      if (!in_place_.empty() && late_.contains(maker(gate))) {
        in_place_.clear();
        return true;
      }
    }
    for (const auto& write : program_.writes) {
      if (!in_place_.contains(write.value)) continue;
      const int read = program_.variable_values[static_cast<size_t>(write.variable)];
      for (int i : late_)
        if (i != maker(write.value) && reads(i, read)) {
          in_place_.erase(write.value);
          return true;
        }
    }
    return false;
  }

  bool reads(int instruction, int owned) const {
    const auto& inputs = program_.instructions[static_cast<size_t>(instruction)].inputs;
    return std::any_of(inputs.begin(), inputs.end(), [&](int v) { return owner(v) == owned; });
  }

  void place_write(Program::VariableWrite& write) {
    const bool is_chosen = in_place_.contains(write.value) || early_.contains(write.value);
    if (is_chosen && value(write.value).home == Home::arena && writes_in_place(write)) {
      value(write.value).home = Home::variable;
      value(write.value).slot = write.variable;
      return;
    }
    // Another write of the copy stage may overwrite a variable that this one reads.
    const bool volatile_source = maker(owner(write.value)) < 0;
    const int source = volatile_source ? copy(write.value, Stage::compute) : write.value;
    const int target = copy(source, Stage::copy);
    value(target).home = Home::variable;
    value(target).slot = write.variable;
    write.value = target;
  }

  void place_output(int index) {
    int& output = program_.outputs[static_cast<size_t>(index)];
    const bool own = maker(output) >= 0 && owner(output) == output;
    if (!own || value(output).home != Home::arena) {
      const int made_by = maker(owner(output));
      const bool late = made_by >= 0 && late_.contains(made_by);
      output = copy(output, late ? Stage::copy : Stage::compute);
    }
    value(output).home = Home::output;
    value(output).slot = index;
  }

  int copy(int from, Stage stage) {
    const int to = program_.add_value({value(from).spec, value(from).layout});
    Instruction instruction{copy_op(), {from}, {to}};
    instruction.stage = stage;
    if (const int made_by = maker(from); made_by >= 0) {
      instruction.scope = program_.instructions[static_cast<size_t>(made_by)].scope;
      instruction.where = program_.instructions[static_cast<size_t>(made_by)].where;
    }
    makers_.push_back(static_cast<int>(program_.instructions.size()));
    owners_.push_back(to);
    program_.instructions.push_back(std::move(instruction));
    return to;
  }

  Program& program_;
  std::vector<int> makers_;
  std::vector<int> owners_;
  std::set<int> in_place_;  // values that are written straight into their variable when committing
  std::set<int> early_;     // those that need not wait for that
  std::set<int> late_;      // instructions of the commit stage
};

}  // namespace

void place_results(Program& program) {
  Placement(program).run();
}

}  // namespace plimsoll
