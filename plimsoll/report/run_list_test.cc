#include "plimsoll/report/run_list.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/base/file_lock.h"
#include "plimsoll/base/printable.h"
#include "plimsoll/report/known_logs.h"
#include "plimsoll/report/run_list_json.h"
#include "plimsoll/report/run_table.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

class RunListTest : public ::testing::Test {
 protected:
  void write_run(const std::string& name, const std::string& run, const std::string& log) const {
    fs::create_directories(top() + "/" + name);
    std::ofstream(top() + "/" + name + "/run.json") << run;
    std::ofstream(top() + "/" + name + "/log.jsonl") << log;
  }
  std::string top() const { return folder_.path().string(); }

  static std::string run_json(const std::string& status) {
    return R"({"options": {"epochs": 9}, "plan": {"peak_bytes": 1048576}, "result": {"status": ")" +
           status + "\"}}";
  }
  static constexpr const char* kLog =
      R"({"event":"start","time":"2026-01-31T12:00:00Z"})"
      "\n"
      R"({"event":"epoch","time":"2026-01-31T12:01:00Z","epoch":1,"metrics":{"loss":3,"val_loss":0.5},"resident_bytes":3145728})"
      "\n"
      R"({"event":"epoch","time":"2026-01-31T12:01:30Z","epoch":2,"metrics":{"loss":2,"val_loss":"nan"},"resident_bytes":2097152})"
      "\n{\"event\":\"ep";

 private:
  TemporaryFolder folder_;
};

TEST_F(RunListTest, KnowsARunThatWasKilledFromOneThatRuns) {
  write_run("a/killed", run_json("running"), kLog);
  write_run("running", run_json("running"), kLog);
  const auto lock = FileLock::take(top() + "/running/.lock");
  const std::vector<RunSummary> runs = list_runs(top());
  ASSERT_EQ(runs.size(), 2u);
  const RunSummary &killed = runs[0], &running = runs[1];
  EXPECT_EQ(killed.name, "a/killed");
  EXPECT_EQ(killed.status, "killed");
  EXPECT_EQ(killed.seconds, 90);
  EXPECT_EQ(killed.epochs, 2);
  EXPECT_EQ(killed.planned_epochs, 9);
  EXPECT_EQ(killed.metric, "val_loss");
  EXPECT_EQ(killed.best, 0.5);
  EXPECT_EQ(killed.best_epoch, 1);
  EXPECT_EQ(killed.planned_peak_bytes, 1 << 20);
  EXPECT_EQ(killed.measured_peak_bytes, 3 << 20);
  EXPECT_TRUE(killed.is_peak_of_epochs);
  EXPECT_EQ(to_json(killed)["measured"], "ends of epochs");
  EXPECT_EQ(running.status, "running");
  EXPECT_EQ(running.process, getpid());
}

TEST_F(RunListTest, TakesTheFolderOfARunItself) {
  write_run(".", run_json("done"), kLog);
  ASSERT_EQ(list_runs(top()).size(), 1u);
  EXPECT_EQ(list_runs(top())[0].name, ".");
  EXPECT_THROW(list_runs(top() + "/nowhere"), IoError);
}

TEST_F(RunListTest, SurvivesWhatIsNoRun) {
  const std::string deep(200'000, '[');
  write_run("deep", deep, deep);
  write_run("empty", "", "");
  write_run("list", "[1]", "[1]\n{}\n");
  write_run("types", R"({"result": {"status": [], "seconds": {}}, "options": 3})", "x");
  write_run("types2",
            R"({"result": {"status": "done", "seconds": "x", "epochs": 1e300}, "plan": []})",
            R"({"event":"epoch","epoch":{},"metrics":7})"
            "\n");
  write_run("other-status", run_json("\\u001b[2J"), "");
  write_run("long-line", run_json("done"), std::string(3 << 20, 'x') + "\n" + kLog);
  fs::create_directories(top() + "/pipe");
  std::ofstream(top() + "/pipe/run.json") << run_json("done");
  mkfifo((top() + "/pipe/log.jsonl").c_str(), 0600);
  fs::create_directories(top() + "/elsewhere/run");
  fs::create_directory_symlink(top() + "/types2", top() + "/linked");
  std::map<std::string, std::string> statuses;
  for (const RunSummary& run : list_runs(top())) statuses[run.name] = run.status;
  EXPECT_EQ(statuses, (std::map<std::string, std::string>{{"deep", "damaged"},
                                                          {"empty", "damaged"},
                                                          {"list", "damaged"},
                                                          {"long-line", "done"},
                                                          {"other-status", "damaged"},
                                                          {"pipe", "done"},
                                                          {"types", "damaged"},
                                                          {"types2", "done"}}));
}

TEST_F(RunListTest, MakesATableThatFits) {
  write_run("a run whose name is so long that no terminal has room for it, \x1b[31mred",
            run_json("done"), kLog);
  write_run("second", run_json("stopped"), kLog);
  const std::vector<RunSummary> runs = list_runs(top());
  for (const size_t columns : {20, 40, 60, 80, 100, 132}) {
    const std::string table = run_table(runs, columns);
    EXPECT_EQ(table.find('\x1b'), table.npos);
    for (size_t begin = 0, end = 0; (end = table.find('\n', begin)) != table.npos; begin = end + 1)
      EXPECT_LE(columns_of(table.substr(begin, end - begin)), columns) << table;
    EXPECT_THAT(table, ::testing::HasSubstr("stopped"));
  }
  EXPECT_THAT(run_table(runs, 0),
              ::testing::HasSubstr("2/9     val_loss 0.5  ≥ 3.0 MiB / 1.0 MiB"));
}

TEST_F(RunListTest, ReadsOnlyWhatIsNewOfALogThatIsKnown) {
  const auto epoch = [](int number, double loss) {
    return fmt::format("{{\"event\":\"epoch\",\"epoch\":{},\"metrics\":{{\"loss\":{}}}}}\n", number,
                       loss);
  };
  write_run("a", run_json("done"), epoch(1, 3) + epoch(2, 2));
  const std::string log = top() + "/a/log.jsonl";
  KnownLogs known;
  EXPECT_EQ(summarize_run(top() + "/a", "a", known).best, 2);
  // Other numbers at a place that was read would be seen by who reads it again.
  std::ofstream(log) << epoch(1, 1) << epoch(2, 2) << epoch(3, 1.5);
  const RunSummary later = summarize_run(top() + "/a", "a", known);
  EXPECT_EQ(later.best, 1.5);
  EXPECT_EQ(later.epochs, 3);
  // The run went on from a checkpoint.
  std::ofstream(log) << epoch(1, 1);
  const RunSummary again = summarize_run(top() + "/a", "a", known);
  EXPECT_EQ(again.best, 1);
  EXPECT_EQ(again.epochs, 1);
}

}  // namespace
}  // namespace plimsoll
