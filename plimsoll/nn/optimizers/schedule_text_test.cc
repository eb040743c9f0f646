#include "plimsoll/nn/optimizers/schedule_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// 10 epochs of 100 steps.
double rate_at(const std::string& text, int64_t step) {
  return schedule_for(parse_schedule(text),
                      {.learning_rate = 0.5, .steps_per_epoch = 100, .epochs = 10})
      .at(step);
}

TEST(ScheduleText, ReachesItsEndWithTheLastEpoch) {
  EXPECT_NEAR(rate_at("cosine", 0), 0.5, 1e-6);
  EXPECT_NEAR(rate_at("cosine", 500), 0.25, 1e-6);
  EXPECT_NEAR(rate_at("cosine", 1000), 0, 1e-6);
  EXPECT_NEAR(rate_at("cosine,end=0.1", 1000), 0.1, 1e-6);
  EXPECT_NEAR(rate_at("polynomial", 250), 0.375, 1e-6);
  EXPECT_NEAR(rate_at("polynomial,power=2,end=0.1", 500), 0.2, 1e-6);
}

TEST(ScheduleText, WarmsUpOverEpochs) {
  EXPECT_NEAR(rate_at("cosine,warmup=2", 0), 0, 1e-6);
  EXPECT_NEAR(rate_at("cosine,warmup=2", 100), 0.25, 1e-6);
  EXPECT_NEAR(rate_at("cosine,warmup=2", 200), 0.5, 1e-6);
  EXPECT_NEAR(rate_at("cosine,warmup=2", 600), 0.25, 1e-6);
  EXPECT_NEAR(rate_at("cosine,warmup=2", 1000), 0, 1e-6);
}

TEST(ScheduleText, FallsByAFactorPerEpochs) {
  EXPECT_NEAR(rate_at("exponential,factor=0.5", 100), 0.25, 1e-6);
  EXPECT_NEAR(rate_at("exponential,factor=0.25,every=2", 100), 0.25, 1e-6);
  EXPECT_NEAR(rate_at("step,every=3", 299), 0.5, 1e-6);
  EXPECT_NEAR(rate_at("step,every=3", 300), 0.05, 1e-6);
  EXPECT_NEAR(rate_at("step,every=3,factor=0.5", 600), 0.125, 1e-6);
  EXPECT_NEAR(rate_at("piecewise,at=2:5", 199), 0.5, 1e-6);
  EXPECT_NEAR(rate_at("piecewise,at=2:5", 200), 0.05, 1e-6);
  EXPECT_NEAR(rate_at("piecewise,at=2:5,factor=0.5", 500), 0.125, 1e-6);
}

TEST(ScheduleText, HasTheNumbersOfThePlateau) {
  const ScheduleText text = parse_schedule("plateau,patience=4");
  EXPECT_EQ(text.kind, "plateau");
  EXPECT_EQ(text["patience"], 4);
  EXPECT_EQ(text["factor"], 0.1);
}

TEST(ScheduleText, NamesWhatIsWrong) {
  const auto refuses = [](const char* text, const char* why) {
    EXPECT_THAT([=] { rate_at(text, 0); }, ThrowsMessage<InvalidArgument>(HasSubstr(why))) << text;
  };
  refuses("cosin",
          "schedule: 'cosin' is not known (did you mean cosine?; known: cosine, polynomial");
  refuses("", "schedule: '' is not known");
  refuses("cosine,warm=3", "schedule: cosine: 'warm' is not known (did you mean warmup?");
  refuses("cosine,warmup", "warmup expects a number, as in warmup=2");
  refuses("cosine,warmup=-1", "warmup expects a number above 0, found '-1'");
  refuses("cosine,warmup=nan", "warmup expects a number above 0, found 'nan'");
  refuses("cosine,warmup=1,warmup=2", "warmup is given twice");
  refuses("cosine,warmup=10", "warmup takes 10 epochs, and the run has no more than 10");
  refuses("cosine,end=1", "end=1 is not below the learning rate, 0.5");
  refuses("step", "step needs every, as in step,every=10");
  refuses("step,every=10", "every=10 changes nothing in a run of 10 epoch(s)");
  refuses("exponential,factor=1", "factor expects a number above 0 and below 1, found '1'");
  refuses("piecewise,at=5:2", "at expects epochs that grow");
  refuses("piecewise,at=5:", "at expects a number above 0, found ''");
  refuses("piecewise,at=2:12", "at=12 changes nothing in a run of 10 epoch(s)");
}

}  // namespace
}  // namespace plimsoll
