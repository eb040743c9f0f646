#include "plimsoll/record/run_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

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

}  // namespace
}  // namespace plimsoll
