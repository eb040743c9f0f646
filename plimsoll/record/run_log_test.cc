#include "plimsoll/record/run_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "plimsoll/base/error.h"
#include "plimsoll/base/report_finding.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

TEST(RunLog, HasOneObjectALineAsSoonAsItHappened) {
  const TemporaryFolder folder;
  RunLog log(folder.path("log.jsonl"));
  log.write("epoch", {{"epoch", 1}, {"loss", json_number(std::nan(""))}});
  log.write(Finding{.severity = Finding::Severity::warning, .where = "x.npz", .what = "is\nold"});
  std::istringstream lines(bytes_of(folder.path("log.jsonl")));
  std::string line;
  std::getline(lines, line);
  const auto epoch = nlohmann::json::parse(line);
  EXPECT_EQ(epoch["event"], "epoch");
  EXPECT_EQ(epoch["loss"], "nan");
  EXPECT_THAT(std::string(epoch["time"]), ::testing::MatchesRegex("....-..-..T..:..:..Z"));
  std::getline(lines, line);
  EXPECT_EQ(nlohmann::json::parse(line)["what"], "is\nold");
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(RunLog, GoesOnWhereItIsCutAndSaysWhatIsLost) {
  const TemporaryFolder folder;
  const std::string path = folder.path("log.jsonl");
  std::vector<std::string> said;
  const auto before =
      set_finding_handler([&](const Finding& it) { said.push_back(to_string(it)); });
  RunLog log(path);
  log.write("epoch", {{"epoch", 1}});
  const int64_t size = log.size();
  log.write("epoch", {{"epoch", 2}});
  log.cut(size);
  EXPECT_EQ(std::ssize(bytes_of(path)), size);
  EXPECT_THAT(said, ::testing::IsEmpty());
  log.cut(size + 7);
  set_finding_handler(before);
  EXPECT_EQ(std::ssize(bytes_of(path)), size);
  EXPECT_THAT(said, ::testing::ElementsAre(::testing::HasSubstr("missing stay lost")));
}

TEST(RunLog, NoticesThatItsFileIsGone) {
  const TemporaryFolder folder;
  const std::string path = folder.path("log.jsonl");
  RunLog log(path);
  log.sync(path);
  std::filesystem::rename(path, folder.path("moved"));
  EXPECT_THROW(log.sync(path), IoError);
  log.sync(folder.path("moved"));
  std::ofstream(path) << "another";
  EXPECT_THROW(log.sync(path), IoError);
}

}  // namespace
}  // namespace plimsoll
