#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "plimsoll/engine/passes/passes.h"
#include "plimsoll/ops/elementwise/sign_bits.h"

namespace plimsoll {
namespace {

// The gradient of relu needs only which elements of its output were above 0. If every other reader
// of the output runs before the gradient, bits are kept in place of the output.
class SignKeeping {
 public:
  explicit SignKeeping(Program& program)
      : program_(program), makers_(program.makers()), readers_(program.values.size()) {
    owners_.resize(program.values.size());
    for (size_t v = 0; v < owners_.size(); ++v) owners_[v] = static_cast<int>(v);
    for (int i = 0; i < static_cast<int>(program.instructions.size()); ++i) add(i);
    for (const int output : program.outputs) is_wanted_.push_back(owner(output));
    for (const auto& write : program.writes) is_wanted_.push_back(owner(write.value));
  }

  void run() {
    std::vector<int> gradients;
    for (int i = 0; i < static_cast<int>(program_.instructions.size()); ++i)
      if (can_do_with_bits(i)) gradients.push_back(i);
    std::vector<std::pair<int, Instruction>> added;  // after which instruction
    for (const int i : gradients) {
      Instruction& gradient = program_.instructions[static_cast<size_t>(i)];
      const int y = gradient.inputs[0];
      const Spec spec = program_.spec(y);
      const int bits = program_.add_value({sign_bits_op()->infer(std::span(&spec, 1))[0]});
      Instruction keep{sign_bits_op(), {y}, {bits}};
      keep.scope = gradient.scope;
      keep.where = gradient.where;
      added.emplace_back(makers_[static_cast<size_t>(y)], std::move(keep));
      gradient.op = select_by_bits_op();
      gradient.inputs[0] = bits;
    }
    insert(added);
  }

 private:
  int owner(int value) const { return owners_[static_cast<size_t>(value)]; }

  void add(int index) {
    const Instruction& it = program_.instructions[static_cast<size_t>(index)];
    if (it.op->is_view()) {
      owners_[static_cast<size_t>(it.outputs[0])] = owner(it.inputs[0]);
      return;
    }
    for (const int input : it.inputs) readers_[static_cast<size_t>(owner(input))].push_back(index);
  }

  bool can_do_with_bits(int index) const {
    const Instruction& gradient = program_.instructions[static_cast<size_t>(index)];
    if (gradient.op->name() != "relu_gradient") return false;
    const int y = gradient.inputs[0];
    const ProgramValue& value = program_.values[static_cast<size_t>(y)];
    const bool is_made = y == owner(y) && makers_[static_cast<size_t>(y)] >= 0;
    if (!is_made || value.home != Home::arena || value.spec != program_.spec(gradient.inputs[1]) ||
        value.layout != program_.values[static_cast<size_t>(gradient.inputs[1])].layout ||
        std::ranges::find(is_wanted_, y) != is_wanted_.end())
      return false;
    const std::vector<bool> before = ancestors(gradient.inputs[1]);
    return std::ranges::all_of(readers_[static_cast<size_t>(y)], [&](int reader) {
      return reader == index || before[static_cast<size_t>(reader)];
    });
  }

  // For each instruction, whether the value depends on it.
  std::vector<bool> ancestors(int value) const {
    std::vector<bool> found(program_.instructions.size());
    std::vector<int> open = {value};
    while (!open.empty()) {
      const int made_by = makers_[static_cast<size_t>(open.back())];
      open.pop_back();
      if (made_by < 0 || found[static_cast<size_t>(made_by)]) continue;
      found[static_cast<size_t>(made_by)] = true;
      const auto& inputs = program_.instructions[static_cast<size_t>(made_by)].inputs;
      open.insert(open.end(), inputs.begin(), inputs.end());
    }
    return found;
  }

  void insert(const std::vector<std::pair<int, Instruction>>& added) {
    std::vector<Instruction> all;
    for (int i = 0; i < static_cast<int>(program_.instructions.size()); ++i) {
      all.push_back(std::move(program_.instructions[static_cast<size_t>(i)]));
      for (const auto& [after, instruction] : added)
        if (after == i) all.push_back(instruction);
    }
    program_.instructions = std::move(all);
  }

  Program& program_;
  std::vector<int> makers_;
  std::vector<std::vector<int>> readers_;  // of each owner
  std::vector<int> owners_;
  std::vector<int> is_wanted_;  // owners that are read at the end
};

}  // namespace

void keep_signs(Program& program) {
  if (program.keeps_signs) SignKeeping(program).run();
}

}  // namespace plimsoll
