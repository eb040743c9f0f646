#include <map>
#include <utility>

#include "plimsoll/engine/passes/passes.h"
#include "plimsoll/ops/movement/reorder.h"

namespace plimsoll {
namespace {

class LayoutAssignment {
 public:
  explicit LayoutAssignment(Program& program) : program_(program) {
    wanted_plain_.assign(program.values.size(), true);
    for (const Instruction& instruction : program.instructions)
      for (int input : instruction.inputs)
        if (!instruction.op->is_view()) wanted_plain_[static_cast<size_t>(input)] = false;
  }

  void run() {
    std::vector<Instruction> old = std::move(program_.instructions);
    program_.instructions.clear();
    for (Instruction& instruction : old) place(std::move(instruction));
    for (int& output : program_.outputs) output = in_layout(output, Layout::plain());
    for (auto& write : program_.writes) write.value = in_layout(write.value, Layout::plain());
  }

 private:
  void place(Instruction instruction) {
    Specs in, out;
    std::vector<Layout> offered;
    for (int input : instruction.inputs) {
      in.push_back(program_.spec(input));
      offered.push_back(program_.values[static_cast<size_t>(input)].layout);
    }
    for (int output : instruction.outputs) out.push_back(program_.spec(output));
    LayoutChoice choice = instruction.op->layouts(in, out, offered);
    if (choice.plain_outputs_too && wanted_plain_[static_cast<size_t>(instruction.outputs[0])])
      choice.outputs.assign(out.size(), Layout::plain());
    for (size_t i = 0; i < instruction.inputs.size(); ++i)
      instruction.inputs[i] = in_layout(instruction.inputs[i], choice.inputs[i], &instruction);
    for (size_t i = 0; i < instruction.outputs.size(); ++i)
      program_.values[static_cast<size_t>(instruction.outputs[i])].layout = choice.outputs[i];
    program_.instructions.push_back(std::move(instruction));
  }

  // The value in the wanted layout; one reorder serves all its readers.
  int in_layout(int value, Layout wanted, const Instruction* reader = nullptr) {
    const ProgramValue from = program_.values[static_cast<size_t>(value)];
    if (from.layout == wanted) return value;
    const auto [found, added] = reordered_.try_emplace({value, wanted.channel_block}, -1);
    if (!added) return found->second;
    found->second = program_.add_value({from.spec, wanted});
    Instruction reorder{reorder_op(from.layout, wanted), {value}, {found->second}};
    reorder.scope = reader != nullptr ? reader->scope : program_.instructions.back().scope;
    reorder.where = reader != nullptr ? reader->where : program_.instructions.back().where;
    if (reader != nullptr) reorder.gradient_of = reader->gradient_of;
    program_.instructions.push_back(std::move(reorder));
    return found->second;
  }

  Program& program_;
  std::vector<bool> wanted_plain_;  // of each value: it is an output, or only views read it
  std::map<std::pair<int, int32_t>, int> reordered_;
};

}  // namespace

void assign_layouts(Program& program) {
  LayoutAssignment(program).run();
}

}  // namespace plimsoll
