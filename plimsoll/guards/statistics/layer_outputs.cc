#include "plimsoll/guards/statistics/layer_outputs.h"

#include <algorithm>
#include <map>

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

// Of each value: true if a forward instruction of another layer than the maker's reads it.
std::vector<bool> read_outside(const Program& program) {
  const std::vector<int> makers = program.makers();
  std::vector<bool> is_read(program.values.size());
  for (const Instruction& reader : program.instructions) {
    if (!reader.gradient_of.empty()) continue;
    for (const int value : reader.inputs) {
      const int maker = makers[static_cast<size_t>(value)];
      if (maker < 0) continue;
      const std::string* made_in = program.instructions[static_cast<size_t>(maker)].scope;
      if (made_in == nullptr || reader.scope == nullptr || !is_within(*reader.scope, *made_in))
        is_read[static_cast<size_t>(value)] = true;
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

bool has_relu(const Instruction& instruction) {
  return to_string(*instruction.op).find("relu") != std::string::npos;
}

bool is_linear(const Instruction& instruction) {
  const std::string_view name = instruction.op->name();
  const bool is_product = name.starts_with("matmul") || name.starts_with("conv") || name == "add";
  return is_product && !has_relu(instruction);
}

}  // namespace plimsoll
