#include "plimsoll/train/checkpoints/checkpoints.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/free_space.h"
#include "plimsoll/base/report_finding.h"

namespace plimsoll {
namespace {

// Of what a young run has done, at most, is lost if it is killed: one that is killed again and
// again makes progress.
constexpr double kMostLost = 0.1, kLeastSeconds = 0.5;

CheckpointOptions checked(const CheckpointOptions& options) {
  if (!(options.every_seconds >= 0) || options.every_steps < 0 || options.keep < 1)
    throw InvalidArgument(
        fmt::format("fit: checkpoints: expected every_seconds and every_steps of 0 or more and "
                    "keep of 1 or more, found {}, {} and {}",
                    options.every_seconds, options.every_steps, options.keep));
  return options;
}

}  // namespace

std::string checkpoint_folder(const std::string& run) {
  return run + "/checkpoints";
}

Checkpoints::Checkpoints(const std::string& run, const CheckpointOptions& options)
    : options_(checked(options)), folder_(checkpoint_folder(run)) {
  if (!options.go_on) return;
  std::vector<Finding> findings;
  found_ = folder_.newest(findings);
  // Beginning again would lose what may still be saved by hand.
  if (!found_ && !folder_.numbers().empty())
    throw CorruptFile(fmt::format(
        "none of the checkpoints in {} is whole ({}); remove that folder to begin again",
        folder_.path(), findings.empty() ? "" : findings.front().what));
  for (const Finding& finding : findings) report(finding);
}

bool Checkpoints::find_before(int64_t step) {
  found_.reset();
  for (const int64_t number : folder_.numbers())
    if (number < step) try {
        found_ = CheckpointFile::open(folder_.path_of(number));
      } catch (const Error& error) {
        report({.severity = Finding::Severity::warning, .where = "fit", .what = error.what()});
      }
  return found_.has_value();
}

double Checkpoints::seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

// A checkpoint that takes long is written less often.
bool Checkpoints::is_due(int64_t step, bool is_epoch_end) const {
  if (options_.every_steps > 0 && step % options_.every_steps == 0 && !is_epoch_end) return true;
  const double least = write_seconds_ / kMostCheckpointShare;
  const double early = std::max(kLeastSeconds, kMostLost * seconds_since(begin_));
  const double wanted = is_epoch_end ? 0 : std::min(options_.every_seconds, early);
  return seconds_since(last_) >= std::max(least, wanted);
}

void Checkpoints::write(int64_t step, int64_t bytes,
                        const std::function<void(StateWriter&)>& save) {
  const auto begin = last_ = Clock::now();
  check_free_space(folder_.path(), bytes + options_.free_bytes);
  folder_.write(step, options_.keep, [&](CheckpointWriter& writer) {
    StateWriter to(writer);
    save(to);
  });
  last_ = Clock::now();
  write_seconds_ = std::chrono::duration<double>(last_ - begin).count();
}

}  // namespace plimsoll
