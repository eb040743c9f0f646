#include "plimsoll/report/profile_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// A machine of 100 GFLOP/s and 10 GB/s.
StepProfile example() {
  return {.steps = 4,
          .batch_size = 32,
          .step_seconds = 0.010,
          .wait_seconds = 0.001,
          .machine_operations_per_second = 100e9,
          .machine_bytes_per_second = 10e9,
          .operations = {
              {.operation = "relu", .layer = "conv", .calls = 1, .seconds = 0.002, .bytes = 10e6},
              {.operation = "conv2d",
               .layer = "conv",
               .attributes = R"({"op": "conv2d", "strides": [2, 1]})",
               .calls = 1,
               .seconds = 0.004,
               .operations = 200e6,
               .bytes = 1e6},
              {.operation = "relu", .layer = "conv", .calls = 1, .seconds = 0.001, .bytes = 10e6}}};
}

TEST(ProfileReport, SaysWhatIsReachedAndWhatLimits) {
  const StepProfile profile = example();
  EXPECT_DOUBLE_EQ(share_of_machine(profile.operations[0], profile), 0.5);
  EXPECT_FALSE(is_bound_by_computing(profile.operations[0], profile));
  EXPECT_DOUBLE_EQ(share_of_machine(profile.operations[1], profile), 0.5);
  EXPECT_TRUE(is_bound_by_computing(profile.operations[1], profile));
}

TEST(ProfileReport, JoinsRows) {
  const StepProfile operations = joined(example(), ProfileBy::operation);
  ASSERT_EQ(operations.operations.size(), 2u);
  EXPECT_DOUBLE_EQ(operations.operations[0].seconds, 0.003);
  const StepProfile layers = joined(example(), ProfileBy::layer);
  ASSERT_EQ(layers.operations.size(), 1u);
  EXPECT_DOUBLE_EQ(layers.operations[0].calls, 3);
}

TEST(ProfileReport, HasTheLongestFirstAndJoinsTheOthers) {
  const std::string table = profile_table(example(), ProfileBy::operation, 1);
  EXPECT_THAT(table, HasSubstr("70.0% in operations, 10.0% waiting for data"));
  EXPECT_THAT(table, HasSubstr("conv2d  conv"));
  EXPECT_THAT(table, HasSubstr("1 others"));
  EXPECT_THAT(table, Not(HasSubstr("relu")));
}

TEST(ProfileReport, HasBytesAndTheSharesOfBothPeaks) {
  StepProfile profile = example();
  profile.operations.resize(2);
  profile.operations[1].bytes = 4 << 20;
  const std::string table = profile_table(profile);
  EXPECT_THAT(table, HasSubstr("MiB  GFLOP/s of peak    GB/s of peak   bound by"));
  // 200 MFLOP and 4 MiB in 4 ms, on a machine of 100 GFLOP/s and 10 GB/s.
  EXPECT_THAT(table,
              HasSubstr("4.000  40.0%     4.00     50.0     50%     1.0     10%  computing"));
  EXPECT_THAT(table,
              HasSubstr("2.000  20.0%     9.54      0.0      0%     5.0     50%     memory"));
}

TEST(ProfileReport, IsJson) {
  const auto json = nlohmann::json::parse(to_json(example()));
  EXPECT_EQ(json["operations"].size(), 3u);
  EXPECT_EQ(json["operations"][1]["attributes"].dump(), R"({"strides":[2,1]})");
  EXPECT_DOUBLE_EQ(json["operations"][1]["share_of_machine"].get<double>(), 0.5);
}

TEST(ProfileReport, TracesNameThreadsAndLayers) {
  const TraceEvent events[] = {{"conv2d", "conv", 0, 0.5, 0.75}, {"read records", "", 1, 0, 1}};
  const auto list = nlohmann::json::parse(trace_json(events))["traceEvents"];
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[0]["args"]["layer"], "conv");
  EXPECT_DOUBLE_EQ(list[0]["ts"].get<double>(), 500000);
  EXPECT_DOUBLE_EQ(list[0]["dur"].get<double>(), 250000);
  EXPECT_EQ(list[3]["args"]["name"], "reader");
}

TEST(ProfileReport, TracesNameThreadsByWhatTheyDo) {
  const TraceEvent events[] = {
      {"read records", "", 0, 0, 5},        {"step", "", 0, 5, 6},
      {"read records", "", 1, 0, 1},        {"read records", "", 2, 0, 1},
      {"write a checkpoint", "", 3, 2, 3},  {"read records", "", 3, 0, 0.5},
      {"spill_store", "dense", 4, 2, 2.25}, {"step", "", 5, 0, 1},
      {"conv2d", "net/conv", 5, 0, 0.75}};
  std::vector<std::string> names;
  const auto json = nlohmann::json::parse(trace_json(events));
  for (const auto& event : json["traceEvents"])
    if (event["ph"] == "M") names.push_back(event["args"]["name"]);
  EXPECT_THAT(names, ElementsAre("training 1", "reader 1", "reader 2", "write a checkpoint",
                                 "spill_store", "training 2"));
}

TEST(ProfileReport, TracesHaveTheMemoryOfTheStep) {
  const TraceEvent events[] = {{"conv2d", "net/conv", 0, 0.5, 0.75}};
  const LiveMoment moments[] = {{"conv2d", "conv", 4096}};
  const auto list = nlohmann::json::parse(trace_json(events, moments))["traceEvents"];
  EXPECT_EQ(list.back().dump(),
            R"({"args":{"bytes":4096},"name":"live in the arena","ph":"C","pid":1,"ts":500000.0})");
}

}  // namespace
}  // namespace plimsoll
