#include "plimsoll/engine/memory/loop_watch.h"

#include <fmt/format.h>

#include <malloc.h>

#include <algorithm>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/base/report_finding.h"
#include "plimsoll/graph/context.h"

namespace plimsoll {
namespace {

constexpr auto kBetweenLooks = std::chrono::milliseconds(10);
constexpr auto kBudgetAge = std::chrono::seconds(1);

std::string count_of(int64_t tensors) {
  return fmt::format("{} {}", tensors, tensors == 1 ? "tensor" : "tensors");
}

std::vector<LiveTensors> lines_of(std::span<const GrownLine> grown) {
  std::vector<LiveTensors> lines;
  for (const GrownLine& line : grown) lines.push_back(line.now);
  return lines;
}

}  // namespace

LoopWatch& LoopWatch::current() {
  return Context::current().part<LoopWatch>();
}

LoopWatch LoopWatch::without_pause() {
  LoopWatch watch;
  watch.pauses_ = false;
  return watch;
}

void LoopWatch::begin_step() {
  if (step_count_++ % kStepsBetweenLooks == 0) look_at_steps();
  if (Clock::now() >= next_look_) look_at_memory();
}

void LoopWatch::begin_batch() {
  if (batch_count_++ % kStepsBetweenLooks != 0) return;
  const int64_t nodes = Context::current().live_node_count();
  if (nodes > node_count_) look_at_steps();
  node_count_ = nodes;
}

void LoopWatch::look_at_steps() {
  steps_.look(live_tensors());
  report_growth(steps_.grown(kLooksOfSteps), "steps",
                fmt::format("{} steps", kStepsBetweenLooks * kLooksOfSteps));
}

void LoopWatch::begin_epochs() {
  epochs_ = {};
  epochs_.look(live_tensors());
}

void LoopWatch::end_epoch() {
  steps_at_epoch_ = step_count_;
  epochs_.look(live_tensors());
  warn_in_reach(process_memory().resident_bytes, weighty(epochs_.grown(kLooksOfReach)), "epochs");
  report_growth(epochs_.grown(kLooksOfEpochs), "epochs", fmt::format("{} epochs", kLooksOfEpochs));
}

void LoopWatch::begin_data() {
  if (!epochs_.has_looked()) begin_epochs();
}

void LoopWatch::end_data() {
  if (step_count_ > steps_at_epoch_) end_epoch();
}

const MemoryBudget& LoopWatch::recent_budget() {
  const auto now = Clock::now();
  if (!budget_ || now >= budget_until_ || limit_ != memory_limit()) {
    limit_ = memory_limit();
    budget_ = memory_budget();
    budget_until_ = now + kBudgetAge;
  }
  return *budget_;
}

void LoopWatch::look_at_memory() {
  const auto start = Clock::now();
  const int64_t held = process_memory().resident_bytes;
  if (held > recent_budget().bytes / 4 * 3) {
    reach_.look(live_tensors());
    const std::vector<GrownLine> grown = weighty(reach_.grown(kLooksOfReach));
    warn_in_reach(held, grown, "steps");
    if (!grown.empty()) refuse_over_budget(grown);
  }
  if (!pauses_) return;
  // At most a fiftieth of the time goes into looking.
  next_look_ = Clock::now() + std::max<Clock::duration>(kBetweenLooks, 50 * (Clock::now() - start));
}

std::vector<GrownLine> LoopWatch::weighty(std::vector<GrownLine> lines) {
  constexpr int64_t kBesideValue = 512;  // that a tensor takes at least
  const int64_t least = recent_budget().bytes / 100;
  std::erase_if(lines, [&](const GrownLine& line) {
    return line.now.bytes + line.now.count * kBesideValue < least;
  });
  return lines;
}

void LoopWatch::warn_in_reach(int64_t held_bytes, std::span<const GrownLine> grown,
                              const std::string& since) {
  if (held_bytes <= recent_budget().bytes / 10 * 9) return;
  report_growth(grown, "budget",
                since + ", and the process takes " + format_bytes(held_bytes) + " of " +
                    recent_budget().to_string());
}

void LoopWatch::refuse_over_budget(std::span<const GrownLine> grown) {
  if (process_memory().resident_bytes <= recent_budget().bytes) return;
  malloc_trim(0);  // what is free and was not given back is not the loop's
  const MemoryBudget budget = memory_budget();
  const int64_t held = process_memory().resident_bytes;
  // What the machine leaves changes with others: half of the margin is for that.
  if (held <= budget.bytes + budget.margin_bytes / 2) return;
  throw DoesNotFit("step: this process takes " + format_bytes(held) + ", the budget is " +
                   budget.to_string() +
                   heaviest_lines(lines_of(grown), "; the loop keeps the tensors of ") +
                   "; keep numbers instead of tensors, or allow more with set_memory_limit");
}

void LoopWatch::report_growth(std::span<const GrownLine> lines, const std::string& cause,
                              const std::string& since) {
  for (const GrownLine& line : lines) {
    if (!reported_.insert({place_of(line.now), cause}).second) continue;
    report(
        {.severity = Finding::Severity::warning,
         .where = place_of(line.now),
         .what = fmt::format("holds {} ({}), {} of them from the last {}", count_of(line.now.count),
                             format_bytes(line.now.bytes), line.more, since),
         .remedy = "keep numbers, loss.item() say, instead of tensors"});
  }
}

}  // namespace plimsoll
