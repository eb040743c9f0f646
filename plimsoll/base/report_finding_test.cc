#include "plimsoll/base/report_finding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace plimsoll {
namespace {

const Finding kFinding = {.severity = Finding::Severity::warning,
                          .where = "main.cc:12",
                          .what = "holds 3 tensors",
                          .remedy = "let go"};

TEST(ReportFinding, PrintsALineOnStandardError) {
  testing::internal::CaptureStderr();
  report(kFinding);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "plimsoll: warning: main.cc:12: holds 3 tensors (let go)\n");
}

TEST(ReportFinding, GoesToTheHandlerThatIsSetAndNowhereElse) {
  std::vector<Finding> found;
  const FindingHandler before =
      set_finding_handler([&](const Finding& finding) { found.push_back(finding); });
  testing::internal::CaptureStderr();
  report(kFinding);
  const FindingHandler own = set_finding_handler(before);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_THAT(found, testing::ElementsAre(kFinding));
  EXPECT_FALSE(before);
  EXPECT_TRUE(own);
}

TEST(ReportFinding, LetsAHandlerSetAnother) {
  int calls = 0;
  set_finding_handler([&](const Finding&) {
    ++calls;
    set_finding_handler([&](const Finding&) { calls += 10; });
  });
  report(kFinding);
  report(kFinding);
  set_finding_handler({});
  EXPECT_EQ(calls, 11);
}

}  // namespace
}  // namespace plimsoll
