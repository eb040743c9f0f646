#include "plimsoll/nn/optimizers/schedule.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plimsoll/nn/optimizers/decay.h"
#include "plimsoll/nn/optimizers/schedule_list.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using testing::GoldenCase;
using testing::message_of;

TEST(Schedule, AgreesWithKeras) {
  for (const GoldenCase& golden : testing::read_goldens("schedules")) {
    SCOPED_TRACE(golden.name());
    const Schedule schedule =
        schedule_from_config(Json::parse(golden.raw("config", "")), "schedule");
    std::vector<double> rates;
    for (const double step : golden.values("steps"))
      rates.push_back(schedule.at(static_cast<int64_t>(step)));
    testing::expect_golden(golden, "rates", rates);
  }
}

TEST(Schedule, IsWrittenAsKerasDoes) {
  for (const GoldenCase& golden : testing::read_goldens("schedules")) {
    const Json config = Json::parse(golden.raw("config", ""));
    EXPECT_EQ(config_of(schedule_from_config(config, "schedule")).dump(), config.dump())
        << golden.name();
  }
}

TEST(Schedule, SaysWhichSettingsCannotWork) {
  EXPECT_EQ(message_of([] { ExponentialDecay({.initial_learning_rate = 0.1}); }),
            "ExponentialDecay: decay_steps must be above 0, found 0");
  EXPECT_EQ(message_of([] {
              PiecewiseConstantDecay({.boundaries = {1, 2}, .values = {1, 2}});
            }),
            "PiecewiseConstant: expected one value more than boundaries, found 2 and 2");
  EXPECT_EQ(message_of([] {
              PiecewiseConstantDecay({.boundaries = {2, 1}, .values = {1, 2, 3}});
            }),
            "PiecewiseConstant: the boundaries must increase");
  EXPECT_EQ(message_of([] {
              schedule_from_config(Json::parse(R"({"class_name": "CosineDecay", "config": {}})"),
                                   "sgd: learning_rate");
            }),
            "sgd: learning_rate: its config has no initial_learning_rate");
}

}  // namespace
}  // namespace plimsoll
