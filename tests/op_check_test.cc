// The harness of the ops must notice what it is there for: each of these ops breaks one promise.
#include "tests/support/op_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll::testing {
namespace {

using ::testing::HasSubstr;

enum class Fault {
  none,
  wrong_value,
  skips_an_element,
  writes_beyond,
  changes_input,
  reads_after_writing,
  differs_each_time,
  overruns_scratch,
  wrong_gradient,
  gradient_of_other_shape,
  reference_of_other_shape,
  describes_a_copy,
  repeats_a_name
};

std::string_view name_of(Fault) {
  return "fault";
}

// y = 2 x, or y[i] = x[i] + x[i - 1] for the fault that only overwriting shows.
class Doubling final : public Kernel {
 public:
  Doubling(Fault fault, int64_t elements) : fault_(fault), elements_(elements) {}

  int64_t scratch_bytes() const override { return 8; }
  void run(const KernelArguments& arguments) const override {
    const float* x = arguments.input(0);
    float* y = arguments.output(0);
    for (int64_t i = 0; i < elements_; ++i) {
      if (fault_ == Fault::skips_an_element && i == 3) continue;
      y[i] = fault_ == Fault::reads_after_writing && i > 0 ? x[i] + x[i - 1] : 2 * x[i];
    }
    if (fault_ == Fault::wrong_value) y[elements_ - 1] *= 1.00001f;
    if (fault_ == Fault::writes_beyond) y[elements_] = 0;
    if (fault_ == Fault::changes_input) *const_cast<float*>(x) = 0;
    if (fault_ == Fault::differs_each_time) y[0] += static_cast<float>(++runs_) * 1e-8f * y[0];
    if (fault_ == Fault::overruns_scratch) arguments.scratch[8] = std::byte{1};
  }

 private:
  Fault fault_;
  int64_t elements_;
  mutable int runs_ = 0;
};

class Doubled final : public Op {
 public:
  explicit Doubled(Fault fault) : fault_(fault) {}

  std::string_view name() const override { return "doubled"; }
  void describe(Attributes& to) const override {
    const auto& [fault] = *this;
    int copy = 0;
    if (fault == Fault::describes_a_copy) to.with("copy", copy);
    if (fault == Fault::repeats_a_name) to.with("fault", fault);
    to.with("fault", fault);
  }
  Specs infer(std::span<const Spec> in) const override { return {in[0]}; }
  std::vector<Overwrite> may_overwrite() const override { return {{0, 0}}; }
  Tensors gradient(const Node&, const Tensors& dy) const override {
    if (fault_ == Fault::gradient_of_other_shape) return {scalar(2)};
    return {dy[0] * (fault_ == Fault::wrong_gradient ? 2.00001 : 2.0)};
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return std::make_unique<Doubling>(fault_, request.outputs[0].shape.elements());
  }
  Arrays reference(std::span<const Array> in) const override {
    Array y(fault_ == Fault::reference_of_other_shape ? Spec{} : in[0].spec);
    for (int64_t i = 0; i < y.spec.shape.elements(); ++i)
      y[i] = fault_ == Fault::reads_after_writing && i > 0 ? in[0][i] + in[0][i - 1] : 2 * in[0][i];
    return {y};
  }

 private:
  Fault fault_;
};

// Everything that check_op() has to say.
std::string complaints(Fault fault) {
  ::testing::TestPartResultArray results;
  {
    using Reporter = ::testing::ScopedFakeTestPartResultReporter;
    const Reporter reporter(Reporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    check_op({.title = "faulty",
              .op = std::make_shared<Doubled>(fault),
              .inputs = {{{}, {5, 5}}},
              .check_gradient = fault != Fault::reads_after_writing});
  }
  std::string text;
  for (int i = 0; i < results.size(); ++i) text.append(results.GetTestPartResult(i).message());
  return text;
}

TEST(OpCheck, AsksForARowInTheListAndNoMore) {
  const std::string text = complaints(Fault::none);
  EXPECT_THAT(text, HasSubstr("add a row to op_list.cc"));
  EXPECT_EQ(text.find("expected"), std::string::npos) << text;
  EXPECT_EQ(text.find("gradient"), std::string::npos) << text;
}

TEST(OpCheck, NoticesEveryBrokenPromise) {
  EXPECT_THAT(complaints(Fault::wrong_value), HasSubstr("element 24"));
  EXPECT_THAT(complaints(Fault::skips_an_element), HasSubstr("element 3"));
  EXPECT_THAT(complaints(Fault::changes_input), HasSubstr("changed input 0"));
  EXPECT_THAT(complaints(Fault::reads_after_writing), HasSubstr("with output 0 over input 0"));
  EXPECT_THAT(complaints(Fault::differs_each_time), HasSubstr("a second run differs"));
  EXPECT_THAT(complaints(Fault::wrong_gradient), HasSubstr("gradient of input 0"));
  EXPECT_THAT(complaints(Fault::gradient_of_other_shape), HasSubstr("gradient of input 0"));
  EXPECT_THAT(complaints(Fault::reference_of_other_shape), HasSubstr("output 0"));
  EXPECT_THAT(complaints(Fault::describes_a_copy), HasSubstr("does not change with 'copy'"));
  EXPECT_THAT(complaints(Fault::repeats_a_name), HasSubstr("two attributes are named 'fault'"));
}

#ifndef __SANITIZE_ADDRESS__  // which stops at the write itself
TEST(OpCheck, NoticesWritesBeyondTheBuffers) {
  EXPECT_THAT(complaints(Fault::writes_beyond), HasSubstr("wrote beyond output 0"));
  EXPECT_THAT(complaints(Fault::overruns_scratch), HasSubstr("wrote beyond the scratch"));
}
#endif

}  // namespace
}  // namespace plimsoll::testing
