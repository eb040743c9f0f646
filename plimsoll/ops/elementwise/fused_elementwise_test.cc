#include <gtest/gtest.h>

#include <random>

#include "plimsoll/ops/elementwise/elementwise_op.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using kernels::Function;
using kernels::inline_input;
using kernels::share_input;
using Program = kernels::ElementwiseProgram;

Program of(Function function) {
  return Program::of(function);
}

// Functions that keep values in a range where float32 and float64 agree.
constexpr Function kTame[] = {Function::tanh,    Function::sigmoid, Function::sin,
                              Function::relu,    Function::abs,     Function::negative,
                              Function::maximum, Function::minimum, Function::relu_gradient,
                              Function::add,     Function::subtract};

Program random_program(std::mt19937& random) {
  const auto below = [&](size_t n) { return static_cast<int>(random() % n); };
  Program program = of(kTame[below(std::size(kTame))]);
  for (int i = 0; i < 12; ++i) {
    const auto joined = inline_input(program, below(static_cast<size_t>(program.inputs)),
                                     of(kTame[below(std::size(kTame))]), 0, below(4) == 0);
    if (!joined.has_value()) break;
    program = *joined;
    if (program.inputs > 4) program = share_input(program, below(2), 2 + below(3));
  }
  return program;
}

TEST(FusedElementwise, AgreesWithItsReferenceForRandomPrograms) {
  std::mt19937 random(5);
  const Shape shapes[] = {{3, 4, 16}, {16}, {3, 1, 16}, {4, 1}, {}};
  for (int round = 0; round < 60; ++round) {
    const Program program = random_program(random);
    Specs inputs = {{DType::float32, shapes[0]}};
    while (static_cast<int>(inputs.size()) < program.inputs)
      inputs.push_back({DType::float32, shapes[random() % std::size(shapes)]});
    testing::check_op({.title = "program " + std::to_string(round),
                       .op = std::make_shared<FusedElementwise>(program),
                       .inputs = inputs,
                       .distinct_gap = 1e-3,
                       .check_gradient = false,
                       .tolerance_scale = 10});
  }
}

TEST(FusedElementwise, ReadsEveryDTypeAndWritesBooleans) {
  // select(x > y, float(n), z) and x > y itself.
  const Program greater = Program::of(Function::greater, DType::boolean);
  const Program program = *inline_input(of(Function::select), 0, greater, 0, true);
  for (const DType dtype :
       {DType::float32, DType::int32, DType::int64, DType::uint8, DType::boolean})
    for (const Shape& shape : {Shape{70, 50}, Shape{50}, Shape{70, 1}, Shape{}, Shape{3, 2000}})
      testing::check_op({.title = "mixed",
                         .op = std::make_shared<FusedElementwise>(program),
                         .inputs = {{DType::float32, shape},
                                    {DType::float32, {}},
                                    {dtype, shape},
                                    {DType::float32, shape.rank() == 2 ? shape : Shape{70, 50}}},
                         .check_gradient = false});
}

TEST(FusedElementwise, CopiesAnInputThatIsAnOutput) {
  const Program program = {2,
                           {{Function::add, {0, 1, 0}}},
                           {{0, DType::float32}, {2, DType::float32}, {2, DType::float32}}};
  testing::check_op({.title = "copy",
                     .op = std::make_shared<FusedElementwise>(program),
                     .inputs = {{DType::float32, {30, 100}}, {DType::float32, {30, 100}}},
                     .check_gradient = false});
}

}  // namespace
}  // namespace plimsoll
