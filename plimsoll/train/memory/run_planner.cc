#include "plimsoll/train/memory/run_planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/base/report_finding.h"
#include "plimsoll/engine/machine_speed.h"
#include "plimsoll/train/memory/plan_memory.h"

namespace plimsoll {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

// Compiling again and again leaves the process a little larger, and so do first runs of kernels.
int64_t slack(int64_t budget) {
  return std::clamp(budget / 128, kMiB, 8 * kMiB);
}

int64_t past_peak_after_measuring(std::optional<int64_t> budget_bytes) {
  if (budget_bytes) measure_machine_speed(*budget_bytes - process_memory().resident_bytes);
  return process_memory().peak_resident_bytes;
}

int64_t loader_bytes_of(const std::vector<PassPlan>& passes) {
  int64_t bytes = 0;
  for (const PassPlan& pass : passes) bytes += pass.loader_bytes;
  return bytes;
}

bool reads_ahead(const PassPlan& pass) {
  return pass.loading.windows > 1;
}

}  // namespace

RunPlanner::RunPlanner(RunRequest request, std::optional<int64_t> budget_bytes)
    : request_(std::move(request)),
      budget_bytes_(budget_bytes),
      past_peak_bytes_(past_peak_after_measuring(budget_bytes)) {}

// Why the batch cannot run in parts, if so.
std::optional<std::string> RunPlanner::bar() const {
  return request_.steps.bars_parts(
      request_.training.back().kind, request_.training.back().fields,
      request_.saving.batch_statistics_per_part ? BatchStatistics::per_part : BatchStatistics::mix);
}

bool RunPlanner::may_part() {
  return !bar();
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
  return {
      .recompute = options.recompute,
      .spill = options.spill,
      // A global norm waits for all gradients anyway.
      .early_updates = trains && options.early_updates && !optimizer->settings().global_clipnorm,
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
  training_.clear();
  validation_.clear();
  for (PassData data : request_.training) {
    // The parts of a prediction are batches of their own.
    if (data.kind == StepKind::predict && saving.part_size > 0) data.choice.size = saving.part_size;
    training_.push_back(plan_pass(request_.steps, data, saving));
  }
  for (const PassData& data : request_.validation)
    validation_.push_back(plan_pass(request_.steps, data, saving));
  std::vector<PlannedStep> steps;
  for (const PassPlan& pass : training_) steps.push_back({request_.phase, &pass.full});
  std::ranges::reverse(steps);  // the largest bucket comes first
  for (const PassPlan& pass : validation_) steps.push_back({"validation", &pass.full});
  int64_t callback_bytes = request_.kept_bytes;
  for (const PassPlan& pass : training_) callback_bytes += output_bytes_of(pass);
  for (const AnyCallback& callback : request_.callbacks)
    callback_bytes += callback->planned_bytes(*request_.model);
  plan_ = plan_memory({.network = request_.network,
                       .optimizer = request_.steps.optimizer(),
                       .steps = steps,
                       .part_sums = request_.steps.part_sums(),
                       .input_bytes = loader_bytes_of(training_) + loader_bytes_of(validation_),
                       .callback_bytes = callback_bytes,
                       .past_peak_bytes = past_peak_bytes_});
  plan_.sequence_parts = saving.sequence_parts;
  plan_.updates_early = saving.early_updates;
  return {.peak_bytes = plan_.peak_bytes,
          .rest_bytes = plan_.rest_bytes(),
          .arena_bytes = plan_.arena_bytes,
          .seconds = plan_.step_seconds,
          .spilled_bytes = plan_.spilled_bytes,
          .cuts_sequences = training_.back().full.cuts_sequences};
}

void RunPlanner::hold() {
  const Held held =
      hold_to_budget(*this, budget_bytes_ ? *budget_bytes_ - slack(*budget_bytes_) : INT64_MAX);
  plan_.plain_arena_bytes = held.plain.arena_bytes;
  plan_.plain_step_seconds = held.plain.seconds;
}

const MemoryPlan& RunPlanner::plan() {
  hold();
  const bool is_over = budget_bytes_ && plan_.peak_bytes > *budget_bytes_;
  if (!is_over || std::ranges::none_of(training_, reads_ahead)) return plan_;
  for (auto* passes : {&request_.training, &request_.validation})
    for (PassData& data : *passes) data.reading.ahead_bytes = 0;
  hold();
  return plan_;
}

int64_t RunPlanner::least_budget() {
  const int64_t least = least_peak(*this);
  training_.clear();
  validation_.clear();
  // So that a run which is given it is not refused, though it measures itself a little larger.
  return least + slack(least) + std::clamp(least / 200, kMiB / 4, 4 * kMiB);
}

std::vector<PassPlan> RunPlanner::take_training() {
  return std::move(training_);
}

std::vector<PassPlan> RunPlanner::take_validation() {
  return std::move(validation_);
}

}  // namespace plimsoll
