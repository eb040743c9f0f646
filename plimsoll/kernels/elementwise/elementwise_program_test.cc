#include "plimsoll/kernels/elementwise/elementwise_program.h"

#include <gtest/gtest.h>

namespace plimsoll::kernels {
namespace {

using Program = ElementwiseProgram;

Program of(Function function) {
  return Program::of(function);
}

TEST(InlineInput, PutsTheProducersInputsInPlaceOfTheOneThatWent) {
  // (a - b) * c with a = exp(x), then b = y + z.
  const Program product = *inline_input(of(Function::multiply), 0, of(Function::subtract));
  const Program with_exp = *inline_input(product, 0, of(Function::exp));
  const Program whole = *inline_input(with_exp, 1, of(Function::add));
  const Program expected = {4,
                            {{Function::add, {1, 2, 0}},
                             {Function::exp, {0, 0, 0}},
                             {Function::subtract, {5, 4, 0}},
                             {Function::multiply, {6, 3, 0}}},
                            {{7, DType::float32}}};
  EXPECT_EQ(whole, expected);
}

TEST(InlineInput, CanKeepTheProducersOutput) {
  const Program program = *inline_input(of(Function::relu), 0, of(Function::add), 0, true);
  ASSERT_EQ(program.outputs.size(), 2u);
  EXPECT_EQ(program.outputs[0].value, 3);
  EXPECT_EQ(program.outputs[1].value, 2);
}

TEST(InlineInput, RefusesMoreInputsOrInstructionsThanTheLimits) {
  Program wide = of(Function::add), deep = of(Function::exp);
  while (wide.inputs < kMaxProgramInputs) wide = *inline_input(wide, 0, of(Function::add));
  EXPECT_FALSE(inline_input(wide, 0, of(Function::add)).has_value());
  EXPECT_TRUE(inline_input(wide, 0, of(Function::exp)).has_value());
  for (int i = 1; i < kMaxProgramInstructions; ++i)
    deep = *inline_input(deep, 0, of(Function::exp));
  EXPECT_FALSE(inline_input(deep, 0, of(Function::exp)).has_value());
}

TEST(ShareInput, ReadsOneTensorOnce) {
  // x * sigmoid(x)
  const Program two = *inline_input(of(Function::multiply), 1, of(Function::sigmoid));
  const Program expected = {
      1, {{Function::sigmoid, {0, 0, 0}}, {Function::multiply, {0, 1, 0}}}, {{2, DType::float32}}};
  EXPECT_EQ(share_input(two, 0, 1), expected);
}

TEST(AssignRegisters, ReusesARegisterFromItsLastUseOn) {
  Program chain = of(Function::exp);
  for (int i = 0; i < 10; ++i) chain = *inline_input(chain, 0, of(Function::tanh));
  const Registers registers = assign_registers(chain);
  EXPECT_EQ(registers.count, 1);
  EXPECT_EQ(registers.of_instruction.back(), -1);
}

TEST(MayOverwrite, OnlyWhenNothingReadsTheInputLater) {
  // relu(a + b), with a + b kept: a + b is output 1.
  const Program program = *inline_input(of(Function::relu), 0, of(Function::add), 0, true);
  EXPECT_TRUE(may_overwrite(program, 0, 0));
  EXPECT_TRUE(may_overwrite(program, 0, 1));
  // (a + b) * a, with a + b kept: it must not overwrite a, which is read after it.
  const Program shared =
      share_input(*inline_input(of(Function::multiply), 0, of(Function::add), 0, true), 0, 2);
  EXPECT_TRUE(may_overwrite(shared, 0, 0));
  EXPECT_FALSE(may_overwrite(shared, 0, 1));
  EXPECT_TRUE(may_overwrite(shared, 1, 1));
}

}  // namespace
}  // namespace plimsoll::kernels
