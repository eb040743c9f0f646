#include "plimsoll/guards/doctor/ranking.h"

#include <gtest/gtest.h>

#include "plimsoll/guards/doctor/causes.h"

namespace plimsoll {
namespace {

TEST(Ranking, TheStrongestSuspicionIsNeverCancelledByWeakerOnesThatItExplains) {
  int mutual = 0;
  for (const KnownCause& one : known_causes())
    for (const std::string_view other : one.explains) {
      const auto back = std::ranges::find(known_causes(), other, &KnownCause::name);
      if (std::ranges::find(back->explains, one.name) == back->explains.end()) continue;
      ++mutual;
      const Suspicions all = joined({{one.name, 0.9}, {other, 0.75}});
      const std::vector<double> found = confidences(all);
      EXPECT_EQ(found[0], 0.9) << one.name << " and " << other;
      EXPECT_NEAR(found[1], 0.75 * (1 - 0.8 * 0.9), 1e-9) << one.name << " and " << other;
    }
  EXPECT_GT(mutual, 3);
}

TEST(Ranking, TheStrongestOfACircleOfCausesStays) {
  const Suspicions all =
      joined({{"vanishing_gradients", 0.9}, {"label_noise", 0.75}, {"dead_relu", 0.7}});
  EXPECT_EQ(confidences(all)[0], 0.9);
}

TEST(Ranking, AWeakerCauseExplainsAnEffectThatDoesNotExplainIt) {
  const Suspicions all = joined({{"dead_relu", 0.9}, {"learning_rate_high", 0.8}});
  EXPECT_NEAR(confidences(all)[0], 0.9 * (1 - 0.8 * 0.8), 1e-9);
  EXPECT_EQ(confidences(all)[1], 0.8);
}

}  // namespace
}  // namespace plimsoll
