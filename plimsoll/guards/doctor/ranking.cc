#include "plimsoll/guards/doctor/ranking.h"

#include <algorithm>
#include <functional>

#include "plimsoll/guards/doctor/causes.h"

namespace plimsoll {
namespace {

constexpr double kExplained = 0.8;  // of an effect, at most, by one cause

bool explains(const Suspicion& cause, const Suspicion& effect) {
  const auto known = std::ranges::find(known_causes(), cause.cause, &KnownCause::name);
  return known != known_causes().end() &&
         std::ranges::find(known->explains, effect.cause) != known->explains.end();
}

// Of each suspicion, which others it explains, directly or through others that are there.
std::vector<std::vector<bool>> reaches(const Suspicions& all) {
  const size_t count = all.size();
  std::vector<std::vector<bool>> found(count, std::vector<bool>(count));
  for (size_t i = 0; i < count; ++i)
    for (size_t k = 0; k < count; ++k) found[i][k] = explains(all[i], all[k]);
  for (size_t by = 0; by < count; ++by)
    for (size_t i = 0; i < count; ++i)
      for (size_t k = 0; k < count && found[i][by]; ++k)
        if (found[by][k]) found[i][k] = true;
  return found;
}

}  // namespace

Suspicions joined(Suspicions all) {
  std::ranges::stable_sort(all, std::greater(), &Suspicion::strength);
  Suspicions joined;
  for (const Suspicion& one : all) {
    const auto same = std::ranges::find(joined, one.cause, &Suspicion::cause);
    if (same == joined.end())
      joined.push_back(one);
    else
      same->strength = 1 - (1 - same->strength) * (1 - one.strength);
  }
  std::ranges::stable_sort(joined, std::greater(), &Suspicion::strength);
  return joined;
}

std::vector<double> confidences(const Suspicions& all) {
  const std::vector<std::vector<bool>> reached = reaches(all);
  std::vector<double> found;
  for (size_t i = 0; i < all.size(); ++i) {
    double confidence = all[i].strength;
    for (size_t k = 0; k < all.size(); ++k) {
      const bool is_mutual = reached[i][k];  // the stronger ones come first
      if (explains(all[k], all[i]) && (!is_mutual || k < i))
        confidence *= 1 - kExplained * all[k].strength;
    }
    found.push_back(confidence);
  }
  return found;
}

}  // namespace plimsoll
