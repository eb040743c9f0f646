#include "plimsoll/guards/statistics/layer_outputs.h"

#include <map>
#include <ranges>
#include <utility>

#include "plimsoll/ops/elementwise/elementwise_op.h"

namespace plimsoll {
namespace {

bool is_forward(const Instruction& it) {
  return it.gradient_of.empty() && it.stage == Stage::compute && it.scope != nullptr;
}

// Moves numbers, but makes none.
bool is_carrier(const Op& op) {
  const std::string_view name = op.name();
  return op.is_view() || name == "reorder" || name.starts_with("spill_");
}

bool is_within(std::string_view path, std::string_view scope) {
  return path.starts_with(scope) && (path.size() == scope.size() || path[scope.size()] == '/');
}

// Views of a layer's result that are made within the layer, such as the rows of a Conv1D's image.
// The units are still the last axis.
bool carries_units(const Program& program, const Instruction& it) {
  if (!is_carrier(*it.op) || it.inputs.empty() || it.outputs.empty()) return false;
  const Shape& from = program.spec(it.inputs[0]).shape;
  const Shape& to = program.spec(it.outputs[0]).shape;
  return from.rank() > 0 && to.rank() > 0 && from.back() == to.back();
}

// Of each value: true if a forward instruction of another layer than the maker's reads it, or reads
// what the layer made of it without computing. Backwards, because the readers of a view have to be
// known before it; again, because copies of instructions come after their readers.
std::vector<bool> read_outside(const Program& program) {
  const std::vector<int> makers = program.makers();
  std::vector<bool> is_read(program.values.size());
  const auto leaves_layer = [&](const Instruction& reader, int value) {
    const std::string* made_in =
        program.instructions[static_cast<size_t>(makers[static_cast<size_t>(value)])].scope;
    if (made_in == nullptr || reader.scope == nullptr) return true;
    return !is_within(*reader.scope, *made_in) ||
           (reader.scope == made_in && carries_units(program, reader) &&
            is_read[static_cast<size_t>(reader.outputs[0])]);
  };
  for (bool is_done = false; !std::exchange(is_done, true);)
    for (const Instruction& reader : std::views::reverse(program.instructions)) {
      if (!reader.gradient_of.empty()) continue;
      for (const int value : reader.inputs) {
        const auto v = static_cast<size_t>(value);
        if (is_read[v] || makers[v] < 0 || !leaves_layer(reader, value)) continue;
        is_read[v] = true;
        is_done = false;
      }
    }
  return is_read;
}

// A scalar, such as a penalty, is no output of a layer.
bool makes_output(const Program& program, const Instruction& it) {
  if (!is_forward(it) || is_carrier(*it.op) || it.outputs.empty()) return false;
  const Spec& spec = program.spec(it.outputs[0]);
  return spec.dtype == DType::float32 && spec.shape.rank() > 1;
}

}  // namespace

std::vector<LayerOutput> layer_outputs(const Program& program, std::string_view network) {
  const std::vector<bool> is_read = read_outside(program);
  std::vector<LayerOutput> found;
  std::map<const std::string*, size_t> places;  // in `found`
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction& it = program.instructions[i];
    if (!makes_output(program, it) || !is_read[static_cast<size_t>(it.outputs[0])]) continue;
    if (it.scope->size() <= network.size() || !is_within(*it.scope, network)) continue;
    const auto [place, is_new] = places.emplace(it.scope, found.size());
    if (is_new)
      found.push_back({it.scope->substr(network.size() + 1), i});
    else
      found[place->second].instruction = i;
  }
  return found;
}

// Within a chain of elementwise functions, a relu that is not the last is part of another
// activation: hard_sigmoid(x) is relu6(x + 3) / 6.
bool has_relu(const Instruction& instruction) {
  const auto* elementwise = dynamic_cast<const ElementwiseOp*>(instruction.op.get());
  if (elementwise == nullptr) return to_string(*instruction.op).find("relu") != std::string::npos;
  const kernels::ElementwiseProgram program = elementwise->program();
  const int made_by = program.outputs[0].value - program.inputs;
  return made_by >= 0 &&
         program.instructions[static_cast<size_t>(made_by)].function == kernels::Function::relu;
}

bool is_linear(const Instruction& instruction) {
  const std::string_view name = instruction.op->name();
  const bool is_product =
      name.starts_with("matmul") || name.starts_with("conv") || name == "add" || name == "bias_add";
  return is_product && !has_relu(instruction);
}

}  // namespace plimsoll
