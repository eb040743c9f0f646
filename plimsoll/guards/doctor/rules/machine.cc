// A run that grows, or waits for its data.
#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/bytes.h"
#include "plimsoll/guards/doctor/rule_list.h"

namespace plimsoll {
namespace {

void look_at_memory(const Patient& patient, Suspicions& into) {
  const RunStory* run = patient.run();
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
  suspicion.remedy = "measure what makes reading slow";
  suspicion.option = "plimsoll bench-data DATA";
  into.push_back(std::move(suspicion));
}

}  // namespace

Rule memory_growth_rule() {
  return {"memory_growth",
          "run",
          {{"memory_growth.share", 0.1, "of the memory of the second epoch"}},
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
