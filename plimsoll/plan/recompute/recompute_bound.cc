#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "plimsoll/plan/recompute/recompute.h"
#include "plimsoll/plan/recompute/recompute_walk.h"

namespace plimsoll::plan {
namespace {

// The bytes that one run of a task would bring back, and the seconds that it takes.
struct Remake {
  double bytes = 0, seconds = 0;

  double price() const { return seconds / bytes; }
};

// The values that are live but not used at a moment, by the tasks that make them.
std::vector<Remake> waiting_at(int32_t moment, const RecomputeFacts& facts,
                               const std::vector<Idle>& idles) {
  std::map<int32_t, Remake> remakes;
  for (const Idle& idle : idles) {
    if (moment <= idle.from || idle.to <= moment) continue;
    const int32_t maker = facts.makers[static_cast<size_t>(idle.place.owner)];
    Remake& remake = remakes[maker];
    remake.bytes += static_cast<double>(facts.rounded(facts.bytes(idle.place.owner)));
    remake.seconds = facts.task(maker).seconds;
  }
  std::vector<Remake> all;
  for (const auto& [maker, remake] : remakes)
    if (remake.bytes > 0) all.push_back(remake);
  return all;
}

// The price of the cheapest way to free this many bytes, if a part of a value could be freed for a
// part of its price.
double least_for(double bytes, std::vector<Remake> remakes) {
  std::ranges::sort(remakes, {}, &Remake::price);
  double seconds = 0;
  for (const Remake& remake : remakes) {
    if (bytes <= 0) break;
    seconds += remake.seconds * std::min(1.0, bytes / remake.bytes);
    bytes -= remake.bytes;
  }
  return seconds;
}

}  // namespace

double least_recompute_seconds(const StepProblem& problem, std::span<const int32_t> order,
                               int64_t budget_bytes) {
  const RecomputeFacts facts(problem, order);
  RecomputeWalk walk(facts);
  walk.run(Drops(facts));
  double most = 0;
  for (int32_t moment = 0; moment < static_cast<int32_t>(walk.live_bytes().size()); ++moment) {
    const int64_t over = walk.live_bytes()[static_cast<size_t>(moment)] - budget_bytes;
    if (over > 0)
      most = std::max(most,
                      least_for(static_cast<double>(over), waiting_at(moment, facts, walk.kept())));
  }
  return most;
}

int64_t least_live_bytes(const StepProblem& problem) {
  const std::vector<int32_t> owners = storage_owners(problem);
  const auto rounded = [&](int64_t bytes) {
    return (bytes + problem.alignment - 1) / problem.alignment * problem.alignment;
  };
  int64_t most = 0;
  for (const Task& task : problem.tasks) {
    std::set<int32_t> used;  // owners in the arena
    for (const int32_t input : task.inputs) used.insert(owners[at(input)]);
    for (const int32_t output : task.outputs) used.insert(owners[at(output)]);
    // An output that may overwrite an input may need no place of its own.
    for (const Overwrite& row : task.may_overwrite) used.erase(task.outputs[at(row.output)]);
    int64_t live = rounded(task.scratch_bytes);
    for (const int32_t owner : used)
      if (!problem.values[at(owner)].external) live += rounded(problem.values[at(owner)].bytes);
    most = std::max(most, live);
  }
  return most;
}

}  // namespace plimsoll::plan
