// A step lowered to a flat list of instructions on numbered values: what the passes rewrite and
// what is compiled.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plimsoll/engine/step_graph.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/graph/place.h"

namespace plimsoll {

// Where the bytes of a value are.
enum class Home {
  arena,     // planned
  input,     // bound by the caller at each run
  constant,  // bound to data of the recorded graph
  variable,  // a variable's own storage
  output,    // a buffer that is handed to the caller
};

struct ProgramValue {
  Spec spec;
  Layout layout = {};
  Home home = Home::arena;
  int slot = 0;  // which input, constant, variable or output
};

// Stages run one after another; the gates are looked at between compute and commit.
enum class Stage { compute, commit, copy };

struct Instruction {
  OpPtr op;
  std::vector<int> inputs, outputs;  // value numbers
  const std::string* scope = nullptr;
  Place where = {};
  Stage stage = Stage::compute;
  std::string_view gradient_of = {};  // the operation; empty in the forward pass
};

struct Program {
  struct VariableWrite {
    int value = 0;     // what is written
    int variable = 0;  // the slot
  };

  std::vector<ProgramValue> values;
  std::vector<Instruction> instructions;  // each after the makers of its inputs
  std::vector<int> inputs;                // value of each input slot
  std::vector<int> constants;             // value of each constant slot
  std::vector<StoragePtr> constant_data;  // what the constants were when lowered
  std::vector<std::shared_ptr<VariableState>> variables;
  std::vector<int> variable_values;  // the value that reads each variable slot, -1: only written
  std::vector<VariableWrite> writes;
  std::vector<int> outputs;  // value of each output; the last `gate_count` are gates
  int gate_count = 0;
  bool keeps_signs = false;  // see keep_signs
  // Optimizers write weights right after the last reader of the old ones, without waiting for the
  // gates: a step that fails then cannot be taken back.
  bool updates_early = false;

  const Spec& spec(int value) const { return values[static_cast<size_t>(value)].spec; }
  int add_value(ProgramValue value);

  // The instructions, besides the one that makes the written value, that read what the variable
  // held before.
  std::vector<int> readers_before(const VariableWrite& write) const;
  // The instruction that makes each value, or -1.
  std::vector<int> makers() const;
  // How often each value is read: by instructions, as an output and by a write.
  std::vector<int> use_counts() const;
  // Makes every reader of `from`, writes and outputs included, read `to`.
  void replace_uses(int from, int to);
  // Drops instructions whose outputs are not read.
  void remove_dead();
};

// Lowers what was recorded. Throws Error where it reads a variable that was written since.
Program lower(const StepGraph& graph);

}  // namespace plimsoll
