#include "plimsoll/plan/offsets/valleys.h"

#include <algorithm>

namespace plimsoll::plan {
namespace {

constexpr int64_t kInfinity = std::numeric_limits<int64_t>::max();

}  // namespace

ValleyView::ValleyView(const Skyline& skyline)
    : skyline_(skyline),
      run_of_(skyline.section_count()),
      candidates_(skyline.section_count() + 1),
      heights_(skyline.section_count()) {}

Choice ValleyView::most_constrained(std::span<const int32_t> waiting, Part part,
                                    std::span<const double> weights) {
  find_runs(part);
  count_candidates(waiting, part);
  int64_t smallest_block = kInfinity;
  for (const int32_t block : waiting) {
    smallest_block = std::min(smallest_block, skyline_.blocks()[block].bytes);
  }
  Choice best;
  double best_cost = std::numeric_limits<double>::max();
  for (Part run{part.left, 0}; run.left <= part.right; run.left = run.right + 1) {
    run.right = run.left;
    while (run.right < part.right && run_of_[run.right + 1] == run.left) ++run.right;
    const int64_t waste = least_waste(run, part, smallest_block);
    if (waste < 0) continue;
    for (int32_t i = run.left; i <= run.right; ++i) {
      const int32_t options = candidates_[i] + (skyline_.slack(i) >= waste ? 1 : 0);
      const double cost = options <= 1 ? options - 2 : options / weights[i];
      if (cost < best_cost ||
          (cost == best_cost && skyline_.slack(i) < skyline_.slack(best.section))) {
        best_cost = cost;
        best = {i, run, options};
      }
    }
  }
  return best;
}

void ValleyView::find_runs(Part part) {
  for (int32_t i = part.left; i <= part.right; ++i) {
    const bool continues = i > part.left && skyline_.floor(i) == skyline_.floor(i - 1);
    run_of_[i] = continues ? run_of_[i - 1] : i;
  }
}

void ValleyView::count_candidates(std::span<const int32_t> waiting, Part part) {
  std::fill(candidates_.begin() + part.left, candidates_.begin() + part.right + 2, 0);
  for (const int32_t index : waiting) {
    const Block& block = skyline_.blocks()[index];
    if (run_of_[block.left] != run_of_[block.right]) continue;
    ++candidates_[block.left];
    --candidates_[block.right + 1];
  }
  for (int32_t i = part.left + 1; i <= part.right; ++i) candidates_[i] += candidates_[i - 1];
}

int64_t ValleyView::least_waste(Part run, Part part, int64_t smallest_block) const {
  const int64_t floor = skyline_.floor(run.left);
  const int64_t left = run.left > part.left ? skyline_.floor(run.left - 1) : kInfinity;
  const int64_t right = run.right < part.right ? skyline_.floor(run.right + 1) : kInfinity;
  return std::min(std::min(left, right) - floor, smallest_block);
}

int64_t ValleyView::lowest_floor_above(std::span<const int32_t> waiting, Part part,
                                       const Choice& choice) {
  find_heights_from(choice.section, part);
  int64_t smallest_support = kInfinity;
  int64_t lowest_outside = kInfinity;
  bool any_inside = false;
  for (const int32_t index : waiting) {
    const Block& block = skyline_.blocks()[index];
    if (!covers(block, choice.section)) {
      const bool reaches_valley =
          block.left <= choice.valley.right && block.right >= choice.valley.left;
      if (reaches_valley) smallest_support = std::min(smallest_support, block.bytes);
    } else if (choice.valley.contains(block)) {
      any_inside = true;
    } else {
      lowest_outside =
          std::min(lowest_outside, std::max(heights_[block.left], heights_[block.right]));
    }
  }
  if (!any_inside || smallest_support == kInfinity) return lowest_outside;
  return std::min(lowest_outside, skyline_.floor(choice.section) + smallest_support);
}

void ValleyView::find_heights_from(int32_t section, Part part) {
  heights_[section] = skyline_.floor(section);
  for (int32_t i = section - 1; i >= part.left; --i) {
    heights_[i] = std::max(heights_[i + 1], skyline_.floor(i));
  }
  for (int32_t i = section + 1; i <= part.right; ++i) {
    heights_[i] = std::max(heights_[i - 1], skyline_.floor(i));
  }
}

}  // namespace plimsoll::plan
