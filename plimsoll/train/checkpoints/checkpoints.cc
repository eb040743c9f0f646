#include "plimsoll/train/checkpoints/checkpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include "plimsoll/base/free_space.h"
#include "plimsoll/base/report_finding.h"

namespace plimsoll {
namespace {

CheckpointOptions checked(const CheckpointOptions& options) {
  if (!(options.every_seconds >= 0) || options.every_steps < 0 || options.keep < 0)
    throw InvalidArgument(
        fmt::format("fit: checkpoints: expected every_seconds and every_steps of 0 or more and "
                    "keep of 0 or more, found {}, {} and {}",
                    options.every_seconds, options.every_steps, options.keep));
  return options;
}

std::string new_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

std::string id_of(const CheckpointFile& file) {
  const StateReader run = StateReader(file).within("run");
  return run.has("id") ? run.text("id") : "";
}

}  // namespace

std::string checkpoint_folder(const std::string& run) {
  return run + "/checkpoints";
}

Checkpoints::Checkpoints(const std::string& run, const CheckpointOptions& options, bool may_go_back)
    : options_(checked(options)),
      run_(run),
      folder_(checkpoint_folder(run)),
      run_id_(new_id()),
      may_go_back_(may_go_back),
      replaces_earlier_(!options.go_on),
      times_{.every = options.every_seconds} {
  if (!options.go_on) return;
  std::vector<Finding> findings;
  found_ = folder_.newest(findings);
  // Beginning again would lose what may still be saved by hand.
  if (!found_ && !folder_.numbers().empty())
    throw CorruptFile(fmt::format(
        "none of the checkpoints in {} is whole ({}); remove that folder to begin again",
        folder_.path(), findings.empty() ? "" : findings.front().what));
  for (const Finding& finding : findings) report(finding);
  if (!found_) return;
  run_id_ = id_of(*found_);
  times_.lived_before = StateReader(*found_).within("process").real_if_any("lived").value_or(0);
}

void Checkpoints::pass_over_foreign(const std::function<bool(const StateReader&)>& is_same) {
  if (is_same(StateReader(*found_))) return;
  std::vector<int64_t> numbers = folder_.numbers();
  for (auto number = numbers.rbegin(); number != numbers.rend(); ++number) try {
      CheckpointFile older = CheckpointFile::open(folder_.path_of(*number));
      if (id_of(older) == run_id_ || !is_same(StateReader(older))) continue;
      report({.severity = Finding::Severity::warning,
              .where = found_->path(),
              .what = "is of another run",
              .remedy = "this checkpoint is not used"});
      run_id_ = id_of(older);
      found_ = std::move(older);
      return;
    } catch (const Error&) {
      // One that is not whole was reported when the newest was looked for.
    }
}

bool Checkpoints::find_before(int64_t step) {
  found_.reset();
  for (const int64_t number : folder_.numbers())
    if (can_go_back_to(number, step)) try {
        found_ = CheckpointFile::open(folder_.path_of(number));
      } catch (const Error& error) {
        report({.severity = Finding::Severity::warning, .where = "fit", .what = error.what()});
      }
  return found_.has_value();
}

double Checkpoints::seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

// A checkpoint that takes long is written less often. One that the run may go back to is not
// replaced by that of the epoch's end, which time may ask for or not.
bool Checkpoints::is_due(int64_t step, bool is_epoch_end) const {
  if (is_by_steps(step) && (!is_epoch_end || may_go_back_)) return !is_epoch_end;
  return times_.is_due(seconds_since(begin_), seconds_since(last_), is_epoch_end);
}

std::optional<int64_t> Checkpoints::newest_before(int64_t step) const {
  std::optional<int64_t> newest;
  for (const int64_t number : folder_.numbers())
    if (can_go_back_to(number, step)) newest = number;
  return newest;
}

void Checkpoints::write(int64_t step, int64_t bytes, const std::function<void(StateWriter&)>& save,
                        std::optional<int64_t> best) {
  const auto begin = last_ = Clock::now();
  std::error_code error;
  if (has_written_ && !std::filesystem::exists(run_, error))
    throw IoError(run_ + ": was moved or removed while the run goes on");
  check_free_space(folder_.path(), bytes + options_.free_bytes);
  const auto fill = [&](CheckpointWriter& writer) {
    StateWriter to(writer), process = to.within("process");
    save(to);
    process.real("lived", seconds_since(begin_));
  };
  std::vector<int64_t> kept;
  if (best) kept.push_back(*best);
  if (const auto before = newest_before(step); may_go_back_ && before) kept.push_back(*before);
  folder_.write(step, options_.keep, fill, kept);
  has_written_ = true;
  if (replaces_earlier_) {
    folder_.remove_newer(step);
    folder_.remove_older(step);
    replaces_earlier_ = false;
  }
  last_ = Clock::now();
  // The mean of it and those before: one that was slow by chance does not count for long.
  const double took = std::chrono::duration<double>(last_ - begin).count();
  times_.write = times_.write == 0 ? took : (times_.write + took) / 2;
}

}  // namespace plimsoll
