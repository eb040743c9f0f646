#include "plimsoll/train/report/write_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "plimsoll/formats/bytes/read_text.h"
#include "plimsoll/plimsoll.h"
#include "plimsoll/record/step_picture_json.h"
#include "plimsoll/train/fit.h"
#include "plimsoll/train/report/judged_output.h"
#include "plimsoll/train/report/planned_budgets.h"
#include "plimsoll/train/report/seen_predictions.h"
#include "tests/support/list_stream.h"
#include "tests/support/resumed_run.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

// y = activation(x), so that a test decides what is predicted.
Model identity(int64_t width, const std::string& activation, const std::string& loss) {
  reset_names();
  const Tensor x = Input({.shape = {width}});
  Model model({x}, {Dense({.units = width, .activation = activation, .use_bias = false})(x)});
  std::vector<float> eye(static_cast<size_t>(width * width), 0.f);
  for (int64_t i = 0; i < width; ++i) eye[static_cast<size_t>(i * width + i)] = 1;
  model.set_weights({constant(eye, {width, width})});
  model.compile({.optimizer = "sgd", .loss = loss});
  return model;
}

TEST(JudgedOutput, GivesTheLossOfAClass) {
  const auto output =
      JudgedOutput::of(identity(3, "softmax", "sparse_categorical_crossentropy"), 3);
  ASSERT_TRUE(output);
  const std::vector<double> shares = {0.2, 0.7, 0.1}, actual = {2};
  const auto verdict = output->judge(shares, actual);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->predicted, 1);
  EXPECT_EQ(verdict->actual, 2);
  EXPECT_THAT(verdict->error, DoubleNear(std::log(10), 1e-9));
}

TEST(JudgedOutput, LeavesOutClassesThatDoNotExistAndNumbersThatAreNotFinite) {
  const auto output =
      JudgedOutput::of(identity(3, "softmax", "sparse_categorical_crossentropy"), 3);
  ASSERT_TRUE(output);
  EXPECT_FALSE(output->judge(std::vector<double>{0.2, 0.7, 0.1}, std::vector<double>{3}));
  EXPECT_FALSE(output->judge(std::vector<double>{0.2, std::nan(""), 0.1}, std::vector<double>{0}));
}

// A matrix of all pairs of classes would have 8 TB.
TEST(SeenPredictions, CountOnlyPairsThatOccurred) {
  reset_names();
  constexpr int64_t kClasses = 1'000'000;
  const Tensor x = Input({.shape = {kClasses}});
  Model model({x}, {Activation({.activation = "softmax"})(x)});
  model.compile({.optimizer = "sgd", .loss = "sparse_categorical_crossentropy"});
  std::vector<float> scores(static_cast<size_t>(2 * kClasses), 0.f);
  scores[7] = scores[kClasses + 9] = 50;
  const auto seen = see_predictions(
      model, Dataset(constant(scores, {2, kClasses}), constant(std::vector<int64_t>{7, 8}, {2})),
      {});
  ASSERT_TRUE(seen.value) << seen.missing;
  EXPECT_THAT(seen.value->classes, Contains("8"));
  EXPECT_THAT(seen.value->confusion, Contains(1).Times(2));
}

TEST(JudgedOutput, KnowsTwoClassesByOneNumber) {
  const auto output = JudgedOutput::of(identity(1, "sigmoid", "binary_crossentropy"), 1);
  ASSERT_TRUE(output);
  const auto verdict = output->judge(std::vector<double>{0.8}, std::vector<double>{0});
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->predicted, 1);
  EXPECT_EQ(output->classes(), 2);
  EXPECT_THAT(verdict->error, DoubleNear(-std::log(0.2), 1e-9));
}

TEST(SeenPredictions, CountsWhichClassesAreConfused) {
  Model model = identity(3, "softmax", "sparse_categorical_crossentropy");
  const std::vector<float> x = {9, 0, 0, 0, 9, 0, 0, 0, 9, 9, 0, 0};
  const std::vector<int64_t> labels = {0, 1, 2, 1};
  const auto seen = see_predictions(model, Dataset(constant(x, {4, 3}), constant(labels, {4})),
                                    {.class_names = {"ant", "bee", "cat"}});
  ASSERT_TRUE(seen.value) << seen.missing;
  EXPECT_EQ(seen.value->records, 4);
  EXPECT_THAT(seen.value->classes, ElementsAre("ant", "bee", "cat"));
  EXPECT_THAT(seen.value->confusion, ElementsAre(1, 0, 0, 1, 1, 0, 0, 0, 1));
  ASSERT_THAT(seen.value->worst, SizeIs(1));
  EXPECT_EQ(seen.value->worst[0].actual, "bee");
  EXPECT_EQ(seen.value->worst[0].predicted, "ant");
  EXPECT_THAT(seen.value->worst[0].values, SizeIs(3));
}

TEST(SeenPredictions, LooksAtNoMoreRecordsThanItMay) {
  Model model = identity(1, "linear", "mse");
  const std::vector<float> x = {1, 2, 3, 4}, y = {1, 2.5, 1, 9};
  const auto seen = see_predictions(model, Dataset(constant(x, {4, 1}), constant(y, {4, 1})),
                                    {.most_records = 3});
  ASSERT_TRUE(seen.value) << seen.missing;
  EXPECT_EQ(seen.value->records, 3);
  EXPECT_EQ(seen.value->of, 4);
  EXPECT_THAT(seen.value->points, SizeIs(3));
  ASSERT_THAT(seen.value->worst, SizeIs(3));
  EXPECT_THAT(seen.value->worst[0].error, DoubleNear(2, 1e-6));
  EXPECT_EQ(seen.value->worst[0].actual, "1");
}

TEST(PlanBudgets, BeginsWithThePlanThatSavesNothing) {
  const auto budgets = plan_budgets(identity(4, "linear", "mse"), {}, {.batch_size = 8});
  ASSERT_TRUE(budgets.value) << budgets.missing;
  EXPECT_EQ(budgets.value->front().budget_bytes, 0);
  EXPECT_TRUE(budgets.value->front().fits);
  EXPECT_GT(budgets.value->front().peak_bytes, budgets.value->front().arena_bytes);
}

StepPicture picture_of_a_model() {
  reset_names();
  const Tensor x = Input({.shape = {16}});
  Model model({x}, {Dense({.units = 8})(Dense({.units = 32, .activation = "relu"})(x))});
  model.compile({.optimizer = "adam", .loss = "mse"});
  const std::vector<float> numbers(16 * 16, 0.5f), targets(16 * 8, 1.f);
  return model
      .plan_fit(Dataset(constant(numbers, {16, 16}), constant(targets, {16, 8})),
                {.batch_size = 8, .verbose = 0})
      .picture();
}

// A validator that knows the rows of the picture alone.
TEST(StepPicture, HasNoTwoBuffersInOnePlaceAtOneTime) {
  const StepPicture picture = picture_of_a_model();
  ASSERT_GT(picture.buffers.size(), 4u);
  std::vector<int64_t> live(picture.moments.size(), 0);
  for (const auto& a : picture.buffers) {
    EXPECT_GE(a.offset, 0);
    EXPECT_LE(a.offset + a.bytes, picture.arena_bytes);
    for (int32_t t = a.first; t <= a.last; ++t) live[static_cast<size_t>(t)] += a.bytes;
    for (const auto& b : picture.buffers) {
      const bool together = &a != &b && a.first <= b.last && b.first <= a.last;
      const bool apart = a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset;
      EXPECT_TRUE(!together || apart);
    }
  }
  for (size_t t = 0; t < live.size(); ++t) EXPECT_EQ(picture.moments[t].live_bytes, live[t]) << t;
  EXPECT_EQ(picture.moments[static_cast<size_t>(picture.peak)].live_bytes,
            *std::ranges::max_element(live));
}

TEST(StepPicture, TellsGradientsOfWeightsFromActivations) {
  const StepPicture picture = picture_of_a_model();
  const auto count = [&](StepPicture::Kind kind) {
    return std::ranges::count(picture.buffers, kind, &StepPicture::Buffer::kind);
  };
  EXPECT_GT(count(StepPicture::Kind::activation), 0);
  EXPECT_GT(count(StepPicture::Kind::weight_gradient), 0);
}

TEST(StepPicture, IsBoundedAsJson) {
  const StepPicture picture = picture_of_a_model();
  const auto json = to_json(picture, {.moments = 4, .buffers = 3});
  EXPECT_LE(json["moments"].size(), 4u);
  EXPECT_THAT(json["buffers"], SizeIs(3));
  EXPECT_EQ(json["left_out"]["buffers"], picture.buffers.size() - 3);
  EXPECT_EQ(json["operations"], picture.moments.size());
  for (const auto& row : json["buffers"]) EXPECT_LT(row[7].get<size_t>(), json["moments"].size());
}

TEST(WriteReport, SaysWhatAFolderLacks) {
  const TemporaryFolder folder;
  std::ofstream(folder.path("run.json"))
      << R"({"options": {"batch_size": 8, "epochs": 2}, "result": {"status": "running"}})";
  std::ofstream(folder.path("log.jsonl"))
      << R"({"event": "epoch", "epoch": 1, "metrics": {"loss": 0.5}})"
      << "\n{\"event\": \"ep";
  write_report(folder.path().string(), folder.path("page.html"));
  const std::string page = read_text(folder.path("page.html"), 1 << 21, "a page");
  EXPECT_THAT(page, HasSubstr("Still running, or killed: 1 of 2 epochs; last loss 0.5."));
  EXPECT_THAT(page, HasSubstr("The run has left no model."));
  EXPECT_THAT(page, HasSubstr("The run has left no plan.json"));
}

TEST(WriteReport, AsksTheDoctorUnlessADiagnosisIsGiven) {
  const TemporaryFolder folder;
  std::ofstream(folder.path("run.json"))
      << R"({"options": {"batch_size": 8, "epochs": 2}, "result": {"status": "failed"}})";
  std::ofstream(folder.path("log.jsonl"))
      << R"({"event": "diagnosis", "cause": "told_before", "severity": "warning"})"
      << "\n";
  const auto page = [&](const ReportOptions& options) {
    write_report(folder.path().string(), folder.path("page.html"), options);
    return read_text(folder.path("page.html"), 1 << 21, "a page");
  };
  const std::string own = page({});
  EXPECT_THAT(own, HasSubstr(R"("verdict":"failed")"));
  EXPECT_THAT(own, HasSubstr("it has no model yet, so only its log is looked at"));
  EXPECT_THAT(own, HasSubstr("told_before"));
  const std::string given = page({.diagnosis = Diagnosis{.verdict = Verdict::healthy}});
  EXPECT_THAT(given, HasSubstr(R"("verdict":"healthy")"));
  EXPECT_THAT(given, Not(HasSubstr("only its log is looked at")));
  EXPECT_THAT(page({.no_diagnosis = "He is not in."}), HasSubstr("He is not in."));
}

std::string page_of(const TemporaryFolder& folder, const ReportOptions& options = {}) {
  write_report(folder.path().string(), folder.path("page.html"), options);
  return read_text(folder.path("page.html"), 1 << 21, "a page");
}

TEST(WriteReport, SaysWhereAToldCauseIs) {
  const TemporaryFolder folder;
  std::ofstream(folder.path("run.json"))
      << R"({"options": {"batch_size": 8, "epochs": 2}, "result": {"status": "done"}})";
  std::ofstream(folder.path("log.jsonl"))
      << R"({"event": "diagnosis", "cause": "a", "where": {"layer": "wide", "op": "exp", "record": "a.csv:9"}})"
      << "\n"
      << R"({"event": "diagnosis", "cause": "b", "where": {"op": "log", "record": "a.csv:2", "line": "loop.py:9"}})"
      << "\n"
      << R"({"event": "diagnosis", "cause": "c", "where": {"line": "loop.py:7"}})"
      << "\n"
      << R"({"event": "diagnosis", "cause": "d", "where": null})"
      << "\n";
  const std::string page = page_of(folder);
  for (const char* where : {"wide, a.csv:9", "log, a.csv:2, loop.py:9", "loop.py:7", ""})
    EXPECT_THAT(page, HasSubstr(std::string("\"where\":\"") + where + "\""));
}

TEST(WriteReport, SaysWhatFindingsSayInGivenWords) {
  const TemporaryFolder folder;
  std::ofstream(folder.path("run.json"))
      << R"({"options": {"batch_size": 8, "epochs": 2}, "result": {"status": "done"}})";
  std::ofstream(folder.path("log.jsonl"))
      << R"({"event": "finding", "what": "found", "remedy": "remedy 1"})"
      << "\n"
      << R"({"event": "diagnosis", "what": "told", "remedy": "remedy 2", "option": "option 1"})"
      << "\n";
  ReportOptions options{
      .diagnosis = Diagnosis{
          .findings = {
              {.cause = "e", .what = "seen", .remedy = "remedy 3", .option = "option 2"}}}};
  options.words = [](const std::string& text) { return "py# " + text; };
  const std::string page = page_of(folder, options);
  for (const char* said :
       {"found", "told", "seen", "remedy 1", "remedy 2", "remedy 3", "option 1", "option 2"})
    EXPECT_THAT(page, HasSubstr(std::string("\"py# ") + said + "\""));
  std::ofstream(folder.path("run.json"))
      << R"({"command": {}, "options": {"batch_size": 8, "epochs": 2}, "result": {"status": "done"}})";
  EXPECT_THAT(page_of(folder, options), Not(HasSubstr("py# ")));
}

TEST(WriteReport, SaysWhoHasTheDataOfARun) {
  const TemporaryFolder folder;
  resumed::Result result;
  resumed::run(resumed::plain(), folder.path("run"), std::nullopt, result);
  const auto page = [&](const ReportOptions& options) {
    write_report(folder.path("run"), folder.path("page.html"), options);
    return read_text(folder.path("page.html"), 1 << 21, "a page");
  };
  EXPECT_THAT(page({}), HasSubstr("was not given; it is that of the program"));
  ReportOptions with_stream;
  const HostTensor x = testing::host_tensor<float>(std::vector<float>(8, 1.f), {2, 4}),
                   y = testing::host_tensor<float>({0.f, 1.f}, {2, 1});
  with_stream.training = testing::listed_stream({{x, y}});
  EXPECT_THAT(page(with_stream), HasSubstr("is a stream, which is not read for a page"));
  std::string json = read_text(folder.path("run/run.json"), 1 << 20, "a run.json");
  std::ofstream(folder.path("run/run.json")) << json.insert(1, "\"command\": {},");
  EXPECT_THAT(page({}), HasSubstr("'plimsoll report RUN' looks for it itself"));
}

TEST(WriteReport, SaysWhereACauseIs) {
  const TemporaryFolder folder;
  std::ofstream(folder.path("run.json"))
      << R"({"options": {"batch_size": 8, "epochs": 2}, "result": {"status": "done"}})";
  std::ofstream(folder.path("log.jsonl"));
  const Diagnosis diagnosis{
      .findings = {{.cause = "memory_growth", .line = "loop.py:7"},
                   {.cause = "bad_record", .layer = "wide", .op = "exp", .record = "a.csv:9"},
                   {.cause = "not_finite_op", .op = "log", .line = "loop.py:9"}}};
  write_report(folder.path().string(), folder.path("page.html"), {.diagnosis = diagnosis});
  const std::string page = read_text(folder.path("page.html"), 1 << 21, "a page");
  for (const char* where : {"loop.py:7", "wide, a.csv:9", "log, loop.py:9"})
    EXPECT_THAT(page, HasSubstr(std::string("\"where\":\"") + where + "\""));
}

TEST(WriteReport, RefusesAFolderThatIsNoRun) {
  const TemporaryFolder folder;
  EXPECT_THAT([&] { write_report(folder.path().string(), folder.path("page.html")); },
              ThrowsMessage<InvalidArgument>(HasSubstr("is not the folder of a run")));
  EXPECT_THAT([&] { write_comparison({folder.path().string()}, folder.path("page.html")); },
              ThrowsMessage<InvalidArgument>("compare: expected two runs or more"));
}

}  // namespace
}  // namespace plimsoll
