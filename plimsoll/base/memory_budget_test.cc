#include "plimsoll/base/memory_budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"

namespace plimsoll {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class MemoryLimit : public testing::Test {
 protected:
  ~MemoryLimit() override { set_memory_limit(""); }
};

TEST_F(MemoryLimit, IsTheBudgetOfWhoeverIsNotToldOtherwise) {
  set_memory_limit("512MiB");
  EXPECT_EQ(memory_limit(), int64_t{512} << 20);
  EXPECT_EQ(memory_budget().bytes, int64_t{512} << 20);
  EXPECT_EQ(memory_budget().to_string(), "512.0 MiB (set_memory_limit)");
  EXPECT_EQ(memory_budget("1GiB").to_string(), "1.0 GiB (--memory)");
}

TEST_F(MemoryLimit, IsTakenBackByAnEmptyOne) {
  set_memory_limit("1MiB");
  set_memory_limit("");
  EXPECT_EQ(memory_limit(), std::nullopt);
  EXPECT_FALSE(memory_budget().is_given);
}

TEST_F(MemoryLimit, StaysAsItWasWhereTheSizeMakesNoSense) {
  set_memory_limit("2MiB");
  EXPECT_THAT([] { set_memory_limit("much"); }, ThrowsMessage<InvalidArgument>(HasSubstr("much")));
  EXPECT_THAT([] { set_memory_limit("0"); }, ThrowsMessage<InvalidArgument>(HasSubstr("above 0")));
  EXPECT_EQ(memory_limit(), int64_t{2} << 20);
}

TEST(MemoryBudget, OfARunIsNoMoreThanTheMachineGives) {
  EXPECT_EQ(memory_budget_here("64KiB").to_string(), "64.0 KiB (--memory)");
  const MemoryBudget budget = memory_budget_here("100000GiB");
  EXPECT_LT(budget.bytes,
            process_memory().resident_bytes + memory_available() + (int64_t{1} << 30));
  EXPECT_THAT(budget.to_string(), HasSubstr("what this machine gives; --memory asks for "));
}

TEST(MemoryBudget, IsAShareOfWhatTheMachineGives) {
  const auto all = static_cast<double>(process_memory().resident_bytes + memory_available());
  EXPECT_NEAR(static_cast<double>(parse_memory("50%")), all / 2, all / 10);
  EXPECT_NEAR(static_cast<double>(memory_budget("12.5%").bytes), all / 8, all / 10);
  for (const char* text : {"%", "0%", "101%", "-5%", "5 %", "x%", "nan%", "5%%"})
    EXPECT_THAT([=] { parse_memory(text); },
                ThrowsMessage<InvalidArgument>(HasSubstr("write it as 75%")))
        << text;
  EXPECT_EQ(parse_memory("2K"), 2048);
}

TEST(MemoryBudget, LeavesAMarginOfWhatTheMachineGives) {
  const MemoryBudget budget = memory_budget();
  EXPECT_FALSE(budget.is_given);
  EXPECT_GT(budget.margin_bytes, 0);
  EXPECT_GT(budget.bytes, process_memory().resident_bytes);
  EXPECT_THAT(budget.to_string(), HasSubstr("what this machine has left, less "));
}

}  // namespace
}  // namespace plimsoll
