#include "plimsoll/train/checkpoints/checkpoint.h"

#include <fmt/format.h>

#include <array>
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
    : folder_(std::move(folder)),
      model_(std::move(model)),
      optimizer_(std::move(optimizer)),
      keep_(keep) {
  if (keep < 1)
    throw InvalidArgument(fmt::format("Checkpoint: keep must be 1 or more, found {}", keep));
  if (!optimizer_.defined()) throw InvalidArgument("Checkpoint: there is no optimizer");
}

// A model that has not seen its input has no weights to put values into.
Variables Checkpoint::state() const {
  if (model_.weights().empty())
    throw InvalidArgument(model_.name() +
                          ": has no weights yet, so no checkpoint of it can be saved or restored; "
                          "give it an Input, or call it once before");
  if (!optimizer_->built()) optimizer_->build(model_.trainable_variables());
  return trained_state(model_, optimizer_);
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
  load_variables(from.within("variables"), state());
  load_clock(from.within("clock"));
  return {position[0], position[1]};
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
  });
  last_ = Clock::now();
  save_seconds_ = std::chrono::duration<double>(last_ - begin).count();
}

void Checkpoint::save_now_and_then(const LoopPosition& next) {
  const double since = std::chrono::duration<double>(Clock::now() - last_).count();
  if (since * kMostCheckpointShare >= save_seconds_) save(next);
}

}  // namespace plimsoll
