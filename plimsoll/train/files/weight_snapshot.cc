#include "plimsoll/train/files/weight_snapshot.h"

#include <fmt/format.h>

#include "plimsoll/formats/bytes/unnamed_file.h"
#include "plimsoll/train/checkpoints/saved_variables.h"

namespace plimsoll {
namespace {

Variables variables_of(const Model& model) {
  Variables variables = model.weights();
  if (!model.compiled()) return variables;
  const Variables state = model.optimizer()->variables();
  variables.insert(variables.end(), state.begin(), state.end());
  return variables;
}

}  // namespace

WeightSnapshot::WeightSnapshot(const std::string& folder) : file_(open_unnamed_file(folder)) {}

void WeightSnapshot::take(const Model& model) {
  int64_t offset = 0;
  for (const Variable& variable : variables_of(model)) {
    const int64_t bytes = variable.spec().bytes();
    file_.write_at(offset, {variable.data(), static_cast<size_t>(bytes)});
    offset += bytes;
  }
}

void WeightSnapshot::put_back(const Model& model) const {
  int64_t offset = 0;
  for (Variable variable : variables_of(model)) {
    variable.fill([&](std::span<std::byte> into) { file_.read_at(offset, into); });
    offset += variable.spec().bytes();
  }
}

void WeightSnapshot::save_state(StateWriter& to, const Model& model) const {
  const Variables variables = variables_of(model);
  to.number("count", std::ssize(variables));
  int64_t begin = 0;
  for (size_t i = 0; i < variables.size(); ++i) {
    const Spec& spec = variables[i].spec();
    to.bytes_once(fmt::format("{}", i), spec,
                  [this, begin](int64_t offset, std::span<std::byte> piece) {
                    file_.read_at(begin + offset, piece);
                  });
    begin += spec.bytes();
  }
}

void WeightSnapshot::load_state(const StateReader& from, const Model& model) {
  load_variables(from, variables_of(model));
  take(model);
}

int64_t WeightSnapshot::bytes_of(const Model& model) {
  int64_t bytes = 0;
  for (const Variable& variable : variables_of(model)) bytes += variable.spec().bytes();
  return bytes;
}

}  // namespace plimsoll
