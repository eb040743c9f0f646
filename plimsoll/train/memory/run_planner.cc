#include "plimsoll/train/memory/run_planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/base/report_finding.h"
#include "plimsoll/engine/machine_speed.h"
#include "plimsoll/guards/statistics/statistics_watch.h"
#include "plimsoll/train/memory/plan_memory.h"

namespace plimsoll {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

// Compiling again and again leaves the process a little larger, and so do first runs of kernels.
int64_t slack(int64_t budget) {
  return std::clamp(budget / 128, kMiB, 8 * kMiB);
}

int64_t loader_bytes_of(const std::vector<PassPlan>& passes) {
  int64_t bytes = 0;
  for (const PassPlan& pass : passes) bytes += pass.loader_bytes;
  return bytes;
}

// What a process may be larger by than another one that plans the same.
int64_t spread(int64_t budget) {
  return std::clamp(budget / 200, kMiB / 4, 4 * kMiB);
}

bool reads_ahead(const PassPlan& pass) {
  return pass.loading.windows > 1;
}

}  // namespace

int64_t step_count(const RunRequest& request) {
  int64_t count = 0;
  for (const auto* passes : {&request.training, &request.validation})
    for (const PassData& data : *passes) count += has_smaller_last(data) ? 2 : 1;
  return count;
}

int64_t safe_bytes(int64_t budget_bytes) {
  return budget_bytes - slack(budget_bytes) - spread(budget_bytes);
}

RunPlanner::RunPlanner(RunRequest request, std::optional<int64_t> budget_bytes)
    : request_(std::move(request)),
      budget_bytes_(budget_bytes),
      past_peak_bytes_(process_memory().peak_resident_bytes) {}

// Why the batch cannot run in parts, if so.
std::optional<std::string> RunPlanner::bar() const {
  return request_.steps.bars_parts(
      request_.training.back().kind, request_.training.back().fields,
      request_.saving.batch_statistics_per_part ? BatchStatistics::per_part : BatchStatistics::mix);
}

bool RunPlanner::may_part() {
  if (!may_part_) may_part_ = !bar();
  return *may_part_;
}

// The size of parts that the options ask for; 0: whole batches.
int64_t RunPlanner::forced_part() const {
  const std::optional<int64_t>& asked = request_.saving.micro_batch;
  if (!asked || *asked >= batch_size_of(request_.training.back())) return 0;
  if (const auto why = bar()) throw InvalidArgument("micro_batch: " + *why);
  return *asked;
}

SavingWays RunPlanner::ways() const {
  const SavingOptions& options = request_.saving;
  const Optimizer& optimizer = request_.steps.optimizer();
  const bool trains = request_.training.back().kind == StepKind::train;
  return {.recompute = options.recompute,
          .spill = options.spill,
          // A global norm waits for all gradients anyway.
          .early_updates = trains && options.early_updates &&
                           !optimizer->settings().global_clipnorm &&
                           !optimizer->settings().clip_percentile,
          .sequence_parts = trains && options.sequence_parts,
          .batch_size = batch_size_of(request_.training.back()),
          .part_size = forced_part(),
          .smaller_parts = options.micro_batches && !options.micro_batch};
}

void RunPlanner::tell_progress() {
  constexpr double kNotedSeconds = 1;
  if (!budget_bytes_ || !request_.tells_progress || watch_.seconds() < kNotedSeconds) return;
  request_.tells_progress = false;
  report(
      {.where = "plan",
       .what = fmt::format("looking for a way to run at a batch of {} in {}; this may take "
                           "some seconds",
                           batch_size_of(request_.training.back()), format_bytes(*budget_bytes_))});
}

Trial RunPlanner::compile(const Saving& saving) {
  tell_progress();
  const int64_t resident = process_memory().resident_bytes;
  training_.clear();
  validation_.clear();
  for (PassData data : request_.training) {
    // The parts of a prediction are batches of their own.
    if (data.kind == StepKind::predict && saving.part_size > 0) data.choice.size = saving.part_size;
    training_.push_back(plan_pass(request_.steps, data, saving));
  }
  for (const PassData& data : request_.validation)
    validation_.push_back(plan_pass(request_.steps, data, saving));
  if (largest_baseline_ == 0)
    code_bytes_ = (process_memory().resident_bytes - resident) / step_count(request_);
  std::vector<PlannedStep> steps;
  for (const PassPlan& pass : training_) steps.push_back({request_.phase, &pass.full});
  std::ranges::reverse(steps);  // the largest bucket comes first
  for (const PassPlan& pass : validation_) steps.push_back({"validation", &pass.full});
  int64_t callback_bytes = request_.kept_bytes;
  for (const PassPlan& pass : training_) callback_bytes += output_bytes_of(pass);
  for (const AnyCallback& callback : request_.callbacks)
    callback_bytes += callback->planned_bytes(*request_.model);
  if (request_.training.back().kind == StepKind::train && wants_statistics(request_.callbacks))
    callback_bytes += statistics_bytes(request_.network);
  plan_ = plan_memory({.network = request_.network,
                       .optimizer = request_.steps.optimizer(),
                       .steps = steps,
                       .part_sums = request_.steps.part_sums(),
                       .input_bytes = loader_bytes_of(training_) + loader_bytes_of(validation_),
                       .callback_bytes = callback_bytes,
                       .past_peak_bytes = past_peak_bytes_,
                       .baseline_bytes = request_.baseline_bytes});
  plan_.code_bytes = std::max<int64_t>(0, code_bytes_);
  largest_baseline_ = std::max(largest_baseline_, plan_.baseline_bytes);
  plan_.sequence_parts = saving.sequence_parts;
  plan_.updates_early = saving.early_updates;
  return {.peak_bytes = plan_.peak_bytes,
          .rest_bytes = plan_.rest_bytes(),
          .arena_bytes = plan_.arena_bytes,
          .seconds = plan_.step_seconds,
          .spilled_bytes = plan_.spilled_bytes,
          .cuts_sequences = training_.back().full.cuts_sequences};
}

// True if it was measured now. Only in memory that the run will take anyway: a machine's first run
// has the peak that it has later.
bool RunPlanner::measure_speed(const Trial& plain) const {
  if (!budget_bytes_) return false;
  const int64_t peak = std::min(plain.peak_bytes, *budget_bytes_);
  return measure_machine_speed(peak - process_memory().resident_bytes);
}

void RunPlanner::hold(const std::optional<Trial>& plain) {
  const Held held = hold_to_budget(*this, *budget_bytes_ - slack(*budget_bytes_), plain);
  plan_.plain_arena_bytes = held.plain.arena_bytes;
  plan_.plain_step_seconds = held.plain.seconds;
}

// reachable_peak() with nothing read ahead.
int64_t RunPlanner::reachable(int64_t bytes, const Saving& plain_saving) {
  const auto training = request_.training, validation = request_.validation;
  read_nothing_ahead();
  const Trial plain = compile(plain_saving);
  const int64_t peak =
      plain.peak_bytes <= bytes ? plain.peak_bytes : reachable_peak(*this, bytes, plain);
  request_.training = training;
  request_.validation = validation;
  return peak;
}

void RunPlanner::read_nothing_ahead() {
  for (auto* passes : {&request_.training, &request_.validation})
    for (PassData& data : *passes) data.reading.ahead_bytes = 0;
}

const MemoryPlan& RunPlanner::plan() {
  const Saving as_asked{.part_size = forced_part()};
  Trial plain = compile(as_asked);
  if (measure_speed(plain)) plain = compile(as_asked);
  if (!budget_bytes_ || plain.peak_bytes <= *budget_bytes_ - slack(*budget_bytes_)) return plan_;
  const MemoryPlan as_it_is = plan_;
  if (const int64_t peak = reachable(*budget_bytes_, as_asked); peak > *budget_bytes_) {
    least_peak_ = peak;
    drop_steps();
    return plan_ = as_it_is;
  }
  hold(plain);
  if (plan_.peak_bytes <= *budget_bytes_ || std::ranges::none_of(training_, reads_ahead))
    return plan_;
  read_nothing_ahead();
  hold({});
  return plan_;
}

bool RunPlanner::fits_safely() {
  const int64_t safe = safe_bytes(*budget_bytes_);
  const int64_t peak = reachable(safe, {.quick = true, .part_size = forced_part()});
  drop_steps();
  return peak <= safe;
}

int64_t RunPlanner::least_budget() {
  const int64_t least = least_peak_bytes();
  // A search that keeps no slack ends at the least too, so half of it is enough to be found.
  return least + slack(least) / 2 + spread(least);
}

int64_t RunPlanner::least_peak_bytes() {
  if (least_peak_) return *least_peak_;
  const MemoryPlan kept = plan_;
  read_nothing_ahead();
  const int64_t least = least_peak(*this);
  drop_steps();
  plan_ = kept;
  return least;
}

int64_t RunPlanner::planning_peak_bytes() const {
  const int64_t peak = process_memory().peak_resident_bytes;
  return peak > past_peak_bytes_ ? peak + spread(peak) : 0;
}

void RunPlanner::drop_steps() {
  training_.clear();
  validation_.clear();
}

std::vector<PassPlan> RunPlanner::take_training() {
  return std::move(training_);
}

std::vector<PassPlan> RunPlanner::take_validation() {
  return std::move(validation_);
}

}  // namespace plimsoll
