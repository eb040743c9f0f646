#include "plimsoll/base/finding.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(Finding, ReadsAsOneSentenceWithItsRemedy) {
  const Finding finding{.severity = Finding::Severity::error,
                        .where = "conv2d_3",
                        .what = "input has 1 channel, kernel expects 3",
                        .remedy = "pass --color rgb"};
  EXPECT_EQ(to_string(finding),
            "error: conv2d_3: input has 1 channel, kernel expects 3 (pass --color rgb)");
}

TEST(Finding, LeavesOutWhatIsEmpty) {
  EXPECT_EQ(to_string(Finding{.what = "all is well"}), "note: all is well");
  EXPECT_EQ(to_string(Finding{.severity = Finding::Severity::warning, .where = "a", .what = "b"}),
            "warning: a: b");
}

TEST(Finding, StaysOnOneLineWhateverAFileIsCalled) {
  EXPECT_EQ(
      to_string(Finding{.where = "a\nb\x1b.png", .what = "gr\xc3\xbc\xc3\x9f", .remedy = "x\ty"}),
      "note: a\\nb\\x1b.png: gr\xc3\xbc\xc3\x9f (x\\ty)");
}

}  // namespace
}  // namespace plimsoll
