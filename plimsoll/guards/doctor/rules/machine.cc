// A run that grows, or waits for its data.
#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/bytes.h"
#include "plimsoll/guards/doctor/rule_list.h"

namespace plimsoll {
namespace {

// These make a run slow and spoil nothing, so that they are notes.
constexpr double kNote = 0.4;

// Whether the tensors of a line will be much of the process by the end of the run: a number that is
// kept per epoch is no leak.
bool is_heavy(const Patient& patient, const GrowingLine& line) {
  constexpr int64_t kBesideValue = 512;  // bytes that a tensor takes at least
  const RunStory& run = *patient.run();
  if (run.epochs.empty()) return true;
  const double epochs = static_cast<double>(run.epochs.size());
  const double times = std::max(1.0, static_cast<double>(run.planned_epochs) / epochs);
  const auto bytes = static_cast<double>(line.bytes + line.tensors * kBesideValue);
  return bytes * times >= patient.limits("memory_growth.line") *
                              static_cast<double>(run.epochs.back().resident_bytes);
}

// A line of the program that keeps tensors is certain; growth alone may be a cache.
void look_at_lines(const Patient& patient, Suspicions& into) {
  const RunStory& run = *patient.run();
  if (run.growing.empty()) return;
  const GrowingLine& line = run.growing.front();
  Suspicion suspicion{.cause = "memory_growth", .strength = is_heavy(patient, line) ? 0.85 : kNote};
  suspicion.line = line.line;
  suspicion.what = fmt::format("{} keeps more tensors after each epoch: {} now, of {}", line.line,
                               line.tensors, format_bytes(line.bytes));
  suspicion.evidence = {{"tensors", static_cast<double>(line.tensors)},
                        {"bytes", static_cast<double>(line.bytes)}};
  suspicion.remedy = "keep numbers in place of tensors";
  suspicion.option = "float(loss)";
  into.push_back(std::move(suspicion));
}

void look_at_memory(const Patient& patient, Suspicions& into) {
  const RunStory* run = patient.run();
  if (run != nullptr) look_at_lines(patient, into);
  if (run == nullptr || run->epochs.size() < 4) return;
  // The first epoch fills caches.
  const auto& epochs = run->epochs;
  const int64_t grown = epochs.back().resident_bytes - epochs[1].resident_bytes;
  int rises = 0;
  for (size_t i = 2; i < epochs.size(); ++i)
    rises += epochs[i].resident_bytes > epochs[i - 1].resident_bytes ? 1 : 0;
  const double share = static_cast<double>(grown) / static_cast<double>(epochs[1].resident_bytes);
  const bool is_steady = rises >= 0.8 * static_cast<double>(epochs.size() - 2);
  if (share < patient.limits("memory_growth.share") || grown < (16 << 20) || !is_steady) return;
  Suspicion suspicion{.cause = "memory_growth", .strength = 0.8};
  suspicion.what =
      fmt::format("the process grew by {} over {} epochs", format_bytes(grown), epochs.size() - 1);
  suspicion.evidence = {{"bytes", static_cast<double>(grown)}};
  suspicion.remedy = "find out which line keeps tensors";
  suspicion.option = "plimsoll.live_tensors()";
  into.push_back(std::move(suspicion));
}

void look_at_data(const Patient& patient, Suspicions& into) {
  const RunStory* run = patient.run();
  if (run == nullptr || run->seconds < patient.limits("data_bound.seconds")) return;
  if (run->data_wait_share < patient.limits("data_bound.share")) return;
  Suspicion suspicion{.cause = "data_bound", .strength = std::min(0.8, run->data_wait_share + 0.1)};
  suspicion.what =
      fmt::format("steps waited for data {:.0f}% of their time", 100 * run->data_wait_share);
  suspicion.evidence = {{"data_wait_share", run->data_wait_share}};
  if (run->is_of_command) {
    suspicion.remedy = "measure what makes reading slow";
    suspicion.option = "plimsoll bench-data DATA";
  } else {
    suspicion.remedy =
        "make the code faster that reads or makes records, or keep them with cache()";
  }
  into.push_back(std::move(suspicion));
}

void look_at_cores(const Patient& patient, Suspicions& into) {
  const RunStory* run = patient.run();
  if (run == nullptr) return;
  double waited = 0, seconds = 0;
  for (const EpochStory& epoch : run->epochs) {
    waited += epoch.core_wait_seconds;
    seconds += epoch.seconds;
  }
  if (seconds < patient.limits("busy_cores.seconds")) return;
  if (waited < patient.limits("busy_cores.share") * seconds) return;
  Suspicion suspicion{.cause = "busy_cores", .strength = kNote};
  suspicion.what = fmt::format("the run waited for a core {:.0f}% of its time",
                               100 * std::min(1.0, waited / seconds));
  suspicion.evidence = {{"core_wait_share", waited / seconds}};
  suspicion.remedy = "use as many threads as there are free cores";
  suspicion.option = "--threads 1";
  into.push_back(std::move(suspicion));
}

void look_at_steps(const Patient& patient, Suspicions& into) {
  const RunStory* run = patient.run();
  if (run == nullptr) return;
  if (run->epochs.size() < 2) return;
  // The first epoch has steps that take memory.
  const EpochStory& epoch = *std::max_element(
      run->epochs.begin() + 1, run->epochs.end(),
      [](const auto& a, const auto& b) { return a.slowest_step_seconds < b.slowest_step_seconds; });
  const double slowest = epoch.slowest_step_seconds, usual = epoch.step_seconds;
  if (slowest < patient.limits("slow_steps.seconds")) return;
  if (slowest < patient.limits("slow_steps.ratio") * usual) return;
  Suspicion suspicion{.cause = "slow_steps", .strength = kNote};
  suspicion.what =
      fmt::format("a step took {} s, the others {} s", short_number(slowest), short_number(usual));
  suspicion.evidence = {{"slowest_step_seconds", slowest},
                        {"step_seconds", usual},
                        {"core_wait_seconds", epoch.core_wait_seconds}};
  // No option helps against what others do.
  suspicion.remedy =
      epoch.core_wait_seconds > slowest / 2
          ? fmt::format("look for other work on the machine: the epoch waited {} s for a core",
                        short_number(epoch.core_wait_seconds))
          : "look for data that comes late, for memory that is swapped, and for callbacks that "
            "take "
            "long";
  into.push_back(std::move(suspicion));
}

}  // namespace

Rule busy_cores_rule() {
  return {"busy_cores",
          "run",
          {{"busy_cores.share", 0.3, "of the time that may go into waiting for a core"},
           {"busy_cores.seconds", 10, "that a run must take before it is said"}},
          look_at_cores};
}

Rule slow_steps_rule() {
  return {"slow_steps",
          "run",
          {{"slow_steps.ratio", 20, "times the mean that a step may take"},
           {"slow_steps.seconds", 1, "that such a step takes at least"}},
          look_at_steps};
}

Rule memory_growth_rule() {
  return {
      "memory_growth",
      "run",
      {{"memory_growth.share", 0.1, "of the memory of the second epoch"},
       {"memory_growth.line", 0.01,
        "of the memory of the process, that the tensors of a line come to by the end of the run "
        "if they are more than a note"}},
      look_at_memory};
}

Rule data_bound_rule() {
  return {"data_bound",
          "run",
          {{"data_bound.share", 0.5, "of the time of steps that may go into waiting for data"},
           {"data_bound.seconds", 10, "that a run must take before it is said"}},
          look_at_data};
}

}  // namespace plimsoll
