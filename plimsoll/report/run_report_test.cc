#include "plimsoll/report/report_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/report/outcome.h"
#include "plimsoll/report/page.h"
#include "plimsoll/report/shown.h"
#include "plimsoll/report/thin.h"
#include "plimsoll/report/thumbnail.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

RunReport small_report() {
  RunReport report{.name = "photos"};
  report.story.status = "done";
  report.story.seconds = 75;
  report.story.planned_epochs = 3;
  for (const double loss : {0.9, 0.5, 0.4})
    report.story.epochs.push_back(
        {.metrics = {{"loss", loss}, {"val_loss", loss + 0.1}}, .samples = 100, .seconds = 2});
  report.run_json = R"({"version": "0.1.0", "options": {"epochs": 3, "memory": null},
      "plan": {"batch_size": 32, "peak_bytes": 2097152, "layers": [{"name": "dense", "weight_bytes": 40}]},
      "result": {"status": "done", "best": {"metric": "val_loss", "epoch": 3, "value": 0.5},
                 "measured_peak_bytes": 1048576}})";
  return report;
}

TEST(RunReport, BeginsWithTheOutcomeInOneSentence) {
  EXPECT_EQ(outcome_sentence(small_report()),
            "Done: 3 epochs in 1 min 15 s; best val_loss 0.5 in epoch 3; peak memory 1.0 MiB, "
            "planned 2.0 MiB.");
}

TEST(RunReport, SaysHowFarAFailedRunCame) {
  RunReport report = small_report();
  report.story.status = "failed";
  report.story.planned_epochs = 10;
  report.run_json = R"({"result": {"why": "the loss is not finite", "batches": 4}})";
  EXPECT_EQ(outcome_sentence(report),
            "Failed (the loss is not finite): 3 of 10 epochs and 4 batches in 1 min 15 s; last "
            "loss 0.4.");
}

TEST(RunReport, HasTheMetricsOfTheLastEpochOfARunThatGoesOn) {
  RunReport report = small_report();
  EXPECT_EQ(to_json(report)["last_metrics"].dump(), R"({"loss":0.4,"val_loss":0.5})");
  report.run_json = R"({"result": {"status": "done", "metrics": {"loss": 7}}})";
  EXPECT_EQ(to_json(report)["last_metrics"].dump(), R"({"loss":7})");
}

TEST(RunReport, HasTheLossOfSampledStepsForEpochsThatAreLong) {
  RunReport report = small_report();
  report.story.epochs.resize(1);
  for (const int64_t step : {0, 1, 2, 4})
    report.story.statistics.push_back({.step = step, .loss = 1.0 / static_cast<double>(step + 1)});
  EXPECT_EQ(to_json(report)["curves"]["sampled"].dump(),
            R"({"name":"loss","x":[0,1,2,4],"y":[1,0.5,0.3333,0.2]})");
  EXPECT_EQ(comparison_json(report, 2)["curves"]["sampled"]["x"].size(), 4u);
}

TEST(RunReport, HasCurvesOptionsAndPlanAsJson) {
  const Json json = to_json(small_report());
  EXPECT_EQ(json["curves"]["series"].dump(), R"([{"name":"loss","x":[1,2,3],"y":[0.9,0.5,0.4]},)"
                                             R"({"name":"val_loss","x":[1,2,3],"y":[1,0.6,0.5]}])");
  EXPECT_EQ(json["curves"]["speed"]["y"].dump(), "[50,50,50]");
  EXPECT_EQ(json["options"].dump(), R"({"epochs":3,"memory":null})");
  EXPECT_EQ(json["plan"]["layers"].dump(), R"([["dense",40,0,0,0,0,0]])");
  EXPECT_EQ(json["best"]["metric"], "val_loss");
}

TEST(RunReport, SaysWhichWayNumbersGetBetter) {
  RunReport report = small_report();
  EXPECT_EQ(to_json(report)["directions"].dump(), R"({"loss":"down","val_loss":"down"})");
  report.run_json = R"({"result": {"directions":
      {"accuracy": "up", "mae": "down", "gain": "</script>", "loss": 3}}})";
  EXPECT_EQ(to_json(report)["directions"].dump(),
            R"({"loss":"down","val_loss":"down","accuracy":"up","mae":"down"})");
}

TEST(RunReport, SaysWhyAPartIsMissing) {
  RunReport report = small_report();
  report.predictions.missing = "The run had no validation data.";
  const Json json = to_json(report);
  EXPECT_EQ(json["predictions"]["missing"], "The run had no validation data.");
  EXPECT_TRUE(json["statistics"].is_null());
}

TEST(RunReport, TakesAnyRunJson) {
  RunReport report = small_report();
  for (const char* text : {"", "[]", "{\"plan\": 3, \"result\": [], \"options\": \"x\"}",
                           "{\"plan\": {\"layers\": [1, {\"name\": 2}], \"peak_bytes\": 1e300}}"}) {
    report.run_json = text;
    report.picture = {std::string(text)};
    EXPECT_THAT(report_page(report), HasSubstr("<!doctype html>")) << text;
  }
}

TEST(RunReport, ReadsOnlyRowsOfNumbersFromAPicture) {
  RunReport report = small_report();
  report.picture = {
      R"({"arena_bytes": 64, "kinds": ["a"], "names": ["x", 3], "moments": [[0, 0, 1, 2], ["<"]],
      "buffers": [[0, 0, 0, 0, 0, 64, 0, 0], [1]], "layer_nanoseconds": []})"};
  const Json picture = to_json(report)["picture"];
  EXPECT_EQ(picture["moments"].dump(), "[[0,0,1,2]]");
  EXPECT_EQ(picture["buffers"].dump(), "[[0,0,0,0,0,64,0,0]]");
  EXPECT_EQ(picture["names"].dump(), R"(["x",""])");
}

TEST(RunReport, HasAProfileByOperationAndByLayer) {
  RunReport report = small_report();
  report.profile = {R"({"steps": 4, "batch_size": 8, "step_seconds": 0.01, "wait_seconds": 0,
      "machine": {"is_measured": true, "operations_per_second": 1e11, "bytes_per_second": 1e10},
      "operations": [{"operation": "relu", "layer": "a", "calls": 1, "seconds": 0.001, "bytes": 8},
        {"operation": "conv2d", "layer": "a", "calls": 1, "seconds": 0.002, "operations": 50, "bytes": 10},
        {"operation": "relu", "layer": "a", "calls": 1, "seconds": 0.0005, "bytes": 8},
        3, {"operation": [], "seconds": "inf", "operations": -1}]})"};
  const Json profile = to_json(report)["profile"];
  EXPECT_EQ(profile["operations"].dump(),
            R"([["conv2d","a",1,0.002,50,10],["relu","a",2,0.0015,0,16],["","",0,0,0,0]])");
  EXPECT_EQ(profile["layers"].dump(), R"([["","a",3,0.0035,50,26],["","",0,0,0,0]])");
  EXPECT_EQ(profile["is_machine_measured"], true);
}

TEST(RunReport, SaysWhyThereIsNoProfile) {
  RunReport report = small_report();
  for (const char* text : {"", "[]", R"({"operations": 3})"}) {
    report.profile = {std::string(text)};
    EXPECT_EQ(to_json(report)["profile"]["missing"], "profile.json is damaged.") << text;
  }
  report.profile = {R"({"steps": 0, "operations": []})"};
  EXPECT_THAT(to_json(report)["profile"]["missing"].get<std::string>(), HasSubstr("ended before"));
}

TEST(ReportPage, HoldsNoMarkupOfTheRun) {
  RunReport report = small_report();
  const std::string markup = "</script><script>alert(1)</script>%%SCRIPT%%%%NONCE%%";
  report.name = markup;
  report.story.findings.push_back({.where = markup, .what = "\xff<img>"});
  const std::string page = report_page(report);
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, HasSubstr("&lt;/script&gt;&lt;script&gt;alert(1)"));
  EXPECT_THAT(page, HasSubstr("\\u003c/script>\\u003cscript>alert(1)"));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("nonce=\"%%")));
}

TEST(ReportPage, IsNeverLargerThanTwoMegabytes) {
  RunReport report = small_report();
  SeenPredictions seen;
  for (int i = 0; i < 24; ++i)
    seen.worst.push_back({.name = "a", .thumbnail = std::string(200'000, 'A')});
  report.predictions = {seen};
  const std::string page = report_page(report);
  EXPECT_LE(page.size(), kMostPageBytes);
  EXPECT_THAT(page, HasSubstr("\"worst\""));
}

TEST(ReportPage, ComparesRuns) {
  RunReport second = small_report();
  second.name = "other";
  const std::string page = comparison_page({small_report(), second});
  EXPECT_THAT(page, HasSubstr("2 runs compared"));
  EXPECT_THAT(page, HasSubstr("\"name\":\"other\""));
}

TEST(ReportPage, ComparesManyLongRuns) {
  RunReport run = small_report();
  run.story.epochs.clear();
  for (int e = 0; e < 10'000; ++e) {
    EpochStory epoch{.samples = 100, .seconds = 2 + e / 7.0, .resident_bytes = 1'000'000 + e};
    for (const char* name : {"loss", "val_loss", "accuracy", "val_accuracy", "mae", "val_mae"})
      epoch.metrics[name] = 1 / (3.0 + e);
    run.story.epochs.push_back(epoch);
  }
  const std::string page = comparison_page(std::vector<RunReport>(20, run));
  EXPECT_LE(page.size(), kMostPageBytes);
  EXPECT_THAT(page, HasSubstr("\"val_mae\""));
  EXPECT_THAT(page, Not(HasSubstr("left out so that the page stays")));
}

TEST(ReportPage, OfMoreRunsThanItHoldsIsRefused) {
  EXPECT_THROW(comparison_page(std::vector<RunReport>(5'000, small_report())), InvalidArgument);
}

TEST(Thin, KeepsEndsAndPeaks) {
  Points points;
  for (int64_t i = 0; i < 10'000; ++i)
    points.emplace_back(i, i == 4321 ? 9.0 : i == 777 ? -5.0 : 1.0);
  points[5000].second = std::numeric_limits<double>::quiet_NaN();
  const Points kept = thin(points, 200);
  EXPECT_LE(kept.size(), 302u);
  EXPECT_EQ(kept.front().first, 0);
  EXPECT_EQ(kept.back().first, 9999);
  const auto has = [&](int64_t place) {
    return std::ranges::any_of(kept, [&](const auto& it) { return it.first == place; });
  };
  EXPECT_TRUE(has(4321));
  EXPECT_TRUE(has(777));
  EXPECT_TRUE(has(5000));
  EXPECT_TRUE(std::ranges::is_sorted(kept, {}, [](const auto& it) { return it.first; }));
}

TEST(Thin, LeavesShortSeriesAlone) {
  const Points points = {{1, 2.0}, {2, 3.0}};
  EXPECT_EQ(thin(points, 1), points);
}

TEST(Grid, JoinsNeighboursByTheLargest) {
  Grid grid(4);
  grid.set("a", 0, 1);
  grid.set("b", 1, 5);
  grid.set("c", 3, 2);
  EXPECT_EQ(grid.cells(2, 2).dump(), "[[5,null],[null,2]]");
  EXPECT_EQ(grid.names(2).dump(), R"(["a … b","c"])");
}

TEST(Shown, CutsBetweenCharactersAndReplacesWhatIsNotText) {
  EXPECT_EQ(shown("grün", 3), "gr…");
  EXPECT_EQ(shown("\xff"), "\xef\xbf\xbd");
  EXPECT_EQ(shown_number(0.123456).dump(), "0.1235");
  EXPECT_TRUE(shown_number(std::numeric_limits<double>::infinity()).is_null());
}

TEST(Thumbnail, IsAJpegOfTheNumbers) {
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("f"), "Zg==");
  const std::vector<float> numbers(200 * 100, 0.5f);
  const std::string address = thumbnail_of(numbers, 200, 100, 1);
  EXPECT_TRUE(address.starts_with("data:image/jpeg;base64,/9j/"));
  EXPECT_LT(address.size(), 2000u);
}

}  // namespace
}  // namespace plimsoll
