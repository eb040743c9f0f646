#include "plimsoll/train/checkpoints/saved_variables.h"

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/nn/recurrent/recurrent_layer.h"

namespace plimsoll {
namespace {

std::string entry(size_t number) {
  return fmt::format("{}", number);
}

void check_specs(const StateReader& from, const Variables& variables) {
  if (from.number("count") != std::ssize(variables))
    throw CorruptFile(fmt::format("{}: it has {} variables, the model has {}", from.path(),
                                  from.number("count"), variables.size()));
  for (size_t i = 0; i < variables.size(); ++i)
    if (from.spec(entry(i)) != variables[i].spec())
      throw CorruptFile(fmt::format("{}: '{}' is {} there and {} in the model", from.path(),
                                    variables[i].name(), from.spec(entry(i)).to_string(),
                                    variables[i].spec().to_string()));
}

void append(Variables& all, const Variables& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

void save_variables(StateWriter& to, const Variables& variables) {
  to.number("count", std::ssize(variables));
  for (size_t i = 0; i < variables.size(); ++i) {
    const auto read = [variable = variables[i]](int64_t at, std::span<std::byte> piece) {
      std::memcpy(piece.data(), variable.data() + at, piece.size());
    };
    to.bytes_once(entry(i), variables[i].spec(), read);
  }
}

void load_variables(const StateReader& from, const Variables& variables) {
  check_specs(from, variables);
  for (size_t i = 0; i < variables.size(); ++i)
    Variable(variables[i]).fill([&](std::span<std::byte> into) { from.bytes(entry(i), into); });
}

Variables trained_state(const Model& model, const Optimizer& optimizer) {
  Variables all = model.weights();
  append(all, optimizer->variables());
  append(all, optimizer->unsaved_variables());
  append(all, recurrent_states(model.network()));
  append(all, {training_clock().seed, training_clock().step});
  return all;
}

Variables computed_from(const Model& model) {
  Variables all = model.weights();
  append(all, recurrent_states(model.network()));
  append(all, {training_clock().seed, training_clock().step});
  return all;
}

void save_clock(StateWriter& to) {
  const ClockState state = training_clock().state();
  std::vector<std::string> paths;
  std::vector<int64_t> counts;
  for (const auto& [path, count] : state.draws) {
    paths.push_back(path);
    counts.push_back(count);
  }
  to.number("seed", state.seed);
  to.number("step", state.step);
  to.texts("paths", paths);
  to.numbers("counts", counts);
}

void load_clock(const StateReader& from) {
  if (!from.has("counts")) return;
  const std::vector<std::string> paths = from.texts("paths");
  const std::vector<int64_t> counts = from.numbers("counts");
  if (paths.size() != counts.size())
    throw CorruptFile(from.path() + ": the counts of random draws are damaged");
  ClockState state{.seed = from.number("seed"), .step = from.number("step")};
  for (size_t i = 0; i < paths.size(); ++i)
    state.draws[paths[i]] = static_cast<uint32_t>(counts[i]);
  training_clock().set_state(state);
}

}  // namespace plimsoll
