#include "plimsoll/train/memory/run_planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "plimsoll/base/report_finding.h"
#include "plimsoll/plimsoll.h"

namespace plimsoll {
namespace {

using ::testing::Contains;
using ::testing::StartsWith;

// A callback whose bytes take longer than a second to find out the first time that they are
// planned.
class SlowToPlan final : public Callback {
 public:
  int64_t planned_bytes(const Model&) const override {
    if (plans_++ == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    return 0;
  }
  int plans() const { return plans_; }

 private:
  mutable int plans_ = 0;
};

TEST(RunPlanner, SaysOnceThatItLooksForAWayWhenThatTakesLongerThanASecond) {
  Sequential model({InputLayer({.shape = {8}}), Dense({.units = 4})});
  model.compile({.loss = "mse"});
  const Tensor x = constant(std::vector<float>(256, 0.5f), {32, 8});
  const Tensor y = constant(std::vector<float>(128, 0.5f), {32, 4});
  const auto slow = std::make_shared<SlowToPlan>();
  std::vector<std::string> said;
  set_finding_handler([&](const Finding& finding) { said.push_back(finding.what); });
  EXPECT_THROW(
      model.fit(x, y, {.batch_size = 16, .memory = "1MiB", .verbose = 0, .callbacks = {slow}}),
      DoesNotFit);
  set_finding_handler({});
  EXPECT_GT(slow->plans(), 2);
  EXPECT_THAT(said, Contains(StartsWith("looking for a way to run at a batch of 16 in 1.0 MiB; "
                                        "this may take some seconds"))
                        .Times(1));
}

}  // namespace
}  // namespace plimsoll
