#include "plimsoll/train/checkpoints/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/report_finding.h"
#include "plimsoll/formats/checkpoint/state.h"
#include "plimsoll/train/checkpoints/checkpoint_options.h"
#include "plimsoll/train/checkpoints/saved_variables.h"

namespace plimsoll {
namespace {

std::optional<CheckpointFile> find_newest(const CheckpointFolder& folder) {
  std::vector<Finding> findings;
  std::optional<CheckpointFile> newest = folder.newest(findings);
  if (!newest && !findings.empty())
    throw CorruptFile(fmt::format("{}: {}", findings.back().where, findings.back().what));
  for (const Finding& finding : findings) report(finding);
  return newest;
}

}  // namespace

Checkpoint::Checkpoint(std::string folder, Model model, Optimizer optimizer, int keep)
    : Checkpoint(std::move(folder), {{std::move(model), std::move(optimizer)}}, keep) {
  if (!models_[0].optimizer.defined()) throw InvalidArgument("Checkpoint: there is no optimizer");
}

Checkpoint::Checkpoint(std::string folder, std::vector<LoopModel> models, int keep)
    : folder_(std::move(folder)), models_(std::move(models)), keep_(keep) {
  if (keep < 1)
    throw InvalidArgument(fmt::format("Checkpoint: keep must be 1 or more, found {}", keep));
  if (models_.empty()) throw InvalidArgument("Checkpoint: there is no model");
}

// Each for the weights of all models that it trains.
void Checkpoint::build_optimizers() const {
  for (const LoopModel& one : models_) {
    if (!one.optimizer.defined() || one.optimizer->built()) continue;
    Variables trained;
    for (const LoopModel& other : models_) {
      if (other.optimizer.operator->() != one.optimizer.operator->()) continue;
      for (const Variable& weight : other.model.trainable_variables())
        if (std::ranges::find(trained, weight) == trained.end()) trained.push_back(weight);
    }
    one.optimizer->build(trained);
  }
}

// A model that has not seen its input has no weights to put values into. What several models share
// is there once.
Variables Checkpoint::state() const {
  for (const LoopModel& each : models_)
    if (each.model.weights().empty())
      throw InvalidArgument(each.model.name() +
                            ": has no weights yet, so no checkpoint of it can be saved or "
                            "restored; give it an Input, or call it once before");
  build_optimizers();
  Variables all;
  std::unordered_set<const VariableState*> known;
  for (const auto& [model, optimizer] : models_) {
    Variables own = optimizer.defined() ? trained_state(model, optimizer) : computed_from(model);
    std::erase_if(own, [&](const Variable& it) { return known.contains(it.state().get()); });
    for (const Variable& variable : own) known.insert(variable.state().get());
    std::ranges::copy(own, std::back_inserter(all));
  }
  return all;
}

void Checkpoint::over(const Dataset& data, const TensorBatchesOptions& options) {
  if (data.source == nullptr) throw InvalidArgument("Checkpoint: there is no data to go over");
  data_ = data;
  reading_ = options;
  identity_ = {{"batch_size", fmt::format("{}", options.batch_size)},
               {"shuffle", options.shuffle ? "true" : "false"},
               {"drop_remainder", options.drop_remainder ? "true" : "false"},
               {"steps", options.steps ? fmt::format("{}", *options.steps) : ""}};
  // Without one, the order is that of random_seed(), which is put back with the clock.
  if (options.seed) identity_["seed"] = fmt::format("{}", *options.seed);
  describe_data(identity_, "the data", data);
}

TensorBatches Checkpoint::batches(int64_t epoch) const {
  TensorBatchesOptions options = reading_;
  options.epoch = epoch;
  options.first = restored_.batch_in(epoch);
  return tensor_batches(data_, options);
}

std::optional<std::string> Checkpoint::latest() const {
  const std::optional<CheckpointFile> newest = find_newest(folder_);
  return newest ? std::optional(newest->path()) : std::nullopt;
}

LoopPosition Checkpoint::restore() {
  const std::optional<CheckpointFile> newest = find_newest(folder_);
  if (!newest) return {};
  const StateReader from(*newest);
  const std::vector<int64_t> position = from.numbers("position");
  if (position.size() != 2) throw CorruptFile(newest->path() + ": is not that of a loop by hand");
  if (const StateReader loop = from.within("loop"); !identity_.empty() && loop.has("names/bytes"))
    report_changes(folder_.path(), changes_since(loop, identity_), false);
  load_variables(from.within("variables"), state());
  load_clock(from.within("clock"));
  return restored_ = {position[0], position[1]};
}

void Checkpoint::save(const LoopPosition& next) {
  const auto begin = Clock::now();
  const Variables variables = state();
  const std::vector<int64_t> numbers = folder_.numbers();
  folder_.write(numbers.empty() ? 1 : numbers.back() + 1, keep_, [&](CheckpointWriter& writer) {
    StateWriter to(writer), inside = to.within("variables"), clock = to.within("clock");
    to.numbers("position", std::array{next.epoch, next.batch});
    save_variables(inside, variables);
    save_clock(clock);
    StateWriter loop = to.within("loop");
    if (!identity_.empty()) save_identity(loop, identity_);
  });
  last_ = Clock::now();
  save_seconds_ = std::chrono::duration<double>(last_ - begin).count();
}

void Checkpoint::save_now_and_then(const LoopPosition& next) {
  const double since = std::chrono::duration<double>(Clock::now() - last_).count();
  if (since * kMostCheckpointShare >= save_seconds_) save(next);
}

}  // namespace plimsoll
