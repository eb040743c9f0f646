#include "plimsoll/engine/memory/loop_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/base/report_finding.h"
#include "plimsoll/graph/variable.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "tests/support/sanitizer.h"

namespace plimsoll {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::ThrowsMessage;

// Findings are kept instead of printed; the limit of a test ends with it.
class LoopWatchOf : public testing::Test {
 protected:
  LoopWatchOf() {
    set_finding_handler([this](const Finding& finding) { findings_.push_back(finding); });
  }
  ~LoopWatchOf() override {
    set_finding_handler({});
    set_memory_limit("");
  }

  static Tensor made(int64_t floats = 1) {
    return constant(std::vector<float>(static_cast<size_t>(floats)), {floats});
  }

  LoopWatch watch_;
  std::vector<Tensor> kept_;
  std::vector<Finding> findings_;
};

TEST_F(LoopWatchOf, ReportsALineThatGrowsOverAThousandSteps) {
  for (int step = 0; step < 1000; ++step) {
    watch_.begin_step();
    kept_.push_back(scalar(step));
  }
  EXPECT_THAT(findings_, IsEmpty());
  const int line = __LINE__ - 3;
  watch_.begin_step();
  ASSERT_THAT(findings_, SizeIs(1));
  EXPECT_EQ(findings_[0].severity, Finding::Severity::warning);
  EXPECT_THAT(findings_[0].where, EndsWith("loop_watch_test.cc:" + std::to_string(line)));
  EXPECT_EQ(findings_[0].what,
            "holds 1000 tensors (3.9 KiB), 1000 of them from the last 1000 steps");
}

TEST_F(LoopWatchOf, ReportsALineOnce) {
  for (int step = 0; step < 5000; ++step) {
    watch_.begin_step();
    kept_.push_back(scalar(step));
  }
  EXPECT_THAT(findings_, SizeIs(1));
}

TEST_F(LoopWatchOf, IsSilentAboutALoopThatLetsGo) {
  for (int step = 0; step < 3000; ++step) {
    watch_.begin_step();
    kept_.push_back(scalar(step));
    if (step % 700 == 0) kept_.clear();
  }
  EXPECT_THAT(findings_, IsEmpty());
}

TEST_F(LoopWatchOf, ReportsALineThatGrowsOverThreeEpochs) {
  watch_.begin_epochs();
  for (int epoch = 0; epoch < 3; ++epoch) {
    EXPECT_THAT(findings_, IsEmpty());
    kept_.push_back(made(256));
    watch_.end_epoch();
  }
  ASSERT_THAT(findings_, SizeIs(1));
  EXPECT_EQ(findings_[0].what, "holds 3 tensors (3.0 KiB), 3 of them from the last 3 epochs");
}

TEST_F(LoopWatchOf, CountsAnEndOfDataWithoutAStepAsNoEpoch) {
  watch_.begin_data();
  for (int epoch = 0; epoch < 5; ++epoch) {
    kept_.push_back(made());
    watch_.end_data();
  }
  EXPECT_THAT(findings_, IsEmpty());
}

// In a process that is large enough for tensors of a few MiB to be little of it.
class LoopWatchInALimit : public LoopWatchOf {
 protected:
  LoopWatchInALimit() {
    ballast_.assign(64 << 20, 'x');
    malloc_trim(0);
  }
  void SetUp() override {
    if (is_sanitized()) GTEST_SKIP() << "freed memory is not given back";
  }
  void limit_to(int64_t bytes) { set_memory_limit(std::to_string(bytes)); }
  void step_and_keep(int64_t mebibytes) {
    watch_.begin_step();
    kept_.push_back(made(mebibytes << 18));
  }

  LoopWatch watch_ = LoopWatch::without_pause();
  std::vector<char> ballast_;
};

TEST_F(LoopWatchInALimit, ReportsKeptTensorsAgainWhereTheBudgetIsInReach) {
  limit_to((process_memory().resident_bytes + (12 << 20)) / 19 * 20);
  for (int i = 0; i < 2; ++i) step_and_keep(4);
  EXPECT_THAT(findings_, IsEmpty());
  step_and_keep(4);
  watch_.begin_step();
  ASSERT_THAT(findings_, SizeIs(1));
  EXPECT_THAT(findings_[0].what,
              AllOf(HasSubstr("holds 2 tensors (8.0 MiB), 2 of them from the last steps"),
                    HasSubstr("(set_memory_limit)")));
}

TEST_F(LoopWatchInALimit, SaysNothingOfWhatIsHeldAndDoesNotGrow) {
  kept_.push_back(made(8 << 18));
  limit_to(process_memory().resident_bytes / 19 * 20);
  const Tensor last = made(1);
  for (int i = 0; i < 50; ++i) watch_.begin_step();
  EXPECT_THAT(findings_, IsEmpty());
}

TEST_F(LoopWatchInALimit, RefusesAStepWhereKeptTensorsAreOverTheLimit) {
  set_finding_handler([](const Finding&) {});
  limit_to(process_memory().resident_bytes + (20 << 20));
  const auto loop = [&] {
    for (int i = 0; i < 9; ++i) step_and_keep(4);
  };
  EXPECT_THAT(
      loop, ThrowsMessage<DoesNotFit>(AllOf(HasSubstr("loop_watch_test.cc"), HasSubstr(" MiB in "),
                                            HasSubstr("(set_memory_limit)"))));
  EXPECT_GE(kept_.size(), 4u);
  kept_.clear();
  EXPECT_NO_THROW(watch_.begin_step());
}

TEST_F(LoopWatchInALimit, RefusesNothingThatTheLoopDoesNotKeep) {
  limit_to(process_memory().resident_bytes - (1 << 20));
  for (int i = 0; i < 5; ++i) EXPECT_NO_THROW(watch_.begin_step());
}

TEST_F(LoopWatchOf, IsToldOfStepsThatTrainAlone) {
  Variable weight("weight", {DType::float32, {}}), seen("seen", {DType::float32, {}}, false);
  LoopWatch::current() = {};
  for (int step = 0; step < 1500; ++step) {
    seen.assign(seen + 1);
    evaluate({});
    kept_.push_back(scalar(step));
  }
  EXPECT_THAT(findings_, IsEmpty());
  for (int step = 0; step < 1500; ++step) {
    weight.assign(weight + 1);
    evaluate({});
    kept_.push_back(scalar(step));
  }
  EXPECT_THAT(findings_, SizeIs(1));
}

}  // namespace
}  // namespace plimsoll
