#include "tests/support/kernel_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "plimsoll/base/threads.h"
#include "tests/support/array_bytes.h"
#include "tests/support/guarded_buffer.h"

namespace plimsoll::testing {
namespace {

using Overwrites = std::vector<Overwrite>;
using Bytes = std::vector<std::byte>;

Specs specs_of(const Arrays& arrays) {
  Specs specs;
  for (const Array& array : arrays) specs.push_back(array.spec);
  return specs;
}

// What producers of the inputs may offer: all plain, all in blocks, one in blocks.
std::vector<std::vector<Layout>> offers(const Specs& inputs) {
  std::vector<std::vector<Layout>> all = {std::vector<Layout>(inputs.size())};
  for (const int32_t block : {8, 16}) {
    std::vector<Layout> together(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].shape.rank() < 2 || inputs[i].shape.back() % block != 0) continue;
      together[i] = Layout::blocked(block);
      std::vector<Layout> alone(inputs.size());
      alone[i] = Layout::blocked(block);
      all.push_back(alone);
    }
    all.push_back(together);
  }
  return all;
}

void expect_legal(std::span<const Layout> layouts, const Specs& specs) {
  ASSERT_EQ(layouts.size(), specs.size());
  for (size_t i = 0; i < layouts.size(); ++i) {
    if (layouts[i].is_plain()) continue;
    ASSERT_GE(specs[i].shape.rank(), 2);
    ASSERT_EQ(specs[i].shape.back() % layouts[i].channel_block, 0) << specs[i].to_string();
  }
}

std::vector<LayoutChoice> layout_choices(const Op& op, const Specs& inputs, const Specs& outputs) {
  std::vector<LayoutChoice> choices;
  for (const auto& offered : offers(inputs)) {
    LayoutChoice choice = op.layouts(inputs, outputs, offered);
    expect_legal(choice.inputs, inputs);
    expect_legal(choice.outputs, outputs);
    if (::testing::Test::HasFatalFailure()) return {};
    const bool known = std::any_of(choices.begin(), choices.end(), [&](const LayoutChoice& other) {
      return other.inputs == choice.inputs && other.outputs == choice.outputs;
    });
    if (!known) choices.push_back(std::move(choice));
  }
  return choices;
}

// The overwritings that an engine may do with these layouts: none, each alone, as many as can be
// done at once.
std::vector<Overwrites> overwrite_choices(const Op& op, const Specs& inputs, const Specs& outputs,
                                          const LayoutChoice& layouts) {
  std::vector<Overwrites> choices = {{}};
  Overwrites together;
  for (const Overwrite& pair : op.may_overwrite()) {
    const auto i = static_cast<size_t>(pair.input), o = static_cast<size_t>(pair.output);
    if (i >= inputs.size() || inputs[i].bytes() != outputs[o].bytes()) continue;
    if (layouts.inputs[i] != layouts.outputs[o]) continue;
    choices.push_back({pair});
    if (std::none_of(together.begin(), together.end(), [&](const Overwrite& other) {
          return other.input == pair.input || other.output == pair.output;
        }))
      together.push_back(pair);
  }
  if (together.size() > 1) choices.push_back(together);
  return choices;
}

class Runner {
 public:
  Runner(const KernelCase& kernel_case, const LayoutChoice& layouts)
      : case_(kernel_case),
        layouts_(layouts),
        input_specs_(specs_of(kernel_case.inputs)),
        output_specs_(specs_of(kernel_case.expected)),
        kernel_(
            kernel_case.op.kernel({input_specs_, output_specs_, layouts.inputs, layouts.outputs})) {
  }

  // The bytes of each output.
  std::vector<Bytes> run(const Overwrites& overwrites, bool shift_inputs) const {
    std::vector<GuardedBuffer> inputs, outputs;
    std::vector<std::byte*> input_pointers, output_pointers;
    for (size_t i = 0; i < input_specs_.size(); ++i) {
      const Spec& spec = input_specs_[i];
      inputs.emplace_back(spec.bytes(), shift_inputs ? size_of(spec.dtype) : 0);
      write_array(case_.inputs[i], layouts_.inputs[i], inputs[i].data());
      input_pointers.push_back(inputs[i].data());
    }
    for (size_t o = 0; o < output_specs_.size(); ++o) {
      outputs.emplace_back(output_specs_[o].bytes());
      output_pointers.push_back(outputs[o].data());
    }
    for (const auto& [input, output] : overwrites)
      output_pointers[static_cast<size_t>(output)] = input_pointers[static_cast<size_t>(input)];
    GuardedBuffer scratch(kernel_->scratch_bytes());

    kernel_->run({input_pointers.data(), output_pointers.data(), scratch.data()});

    std::vector<Bytes> results;
    for (size_t o = 0; o < outputs.size(); ++o)
      results.emplace_back(output_pointers[o], output_pointers[o] + output_specs_[o].bytes());
    EXPECT_TRUE(scratch.fence_is_intact()) << "wrote beyond the scratch";
    for (size_t o = 0; o < outputs.size(); ++o)
      EXPECT_TRUE(outputs[o].fence_is_intact()) << "wrote beyond output " << o;
    for (size_t i = 0; i < inputs.size(); ++i) expect_kept(i, inputs[i], overwrites);
    return results;
  }

  void compare(const std::vector<Bytes>& results) const {
    for (size_t o = 0; o < results.size(); ++o) {
      const Array found = read_array(output_specs_[o], layouts_.outputs[o], results[o].data());
      compare(case_.expected[o], found, o);
    }
  }

 private:
  void expect_kept(size_t i, const GuardedBuffer& input, const Overwrites& overwrites) const {
    EXPECT_TRUE(input.fence_is_intact()) << "wrote beyond input " << i;
    for (const Overwrite& pair : overwrites)
      if (pair.input == static_cast<int>(i)) return;
    Bytes before(input.bytes().size());
    write_array(case_.inputs[i], layouts_.inputs[i], before.data());
    EXPECT_TRUE(std::ranges::equal(before, input.bytes())) << "changed input " << i;
  }

  void compare(const Array& expected, const Array& found, size_t output) const {
    double largest = 0;
    for (const double x : expected.data)
      if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
    const bool exact = expected.spec.dtype != DType::float32;
    const double tolerance = exact ? 0 : case_.relative_tolerance * largest;
    int bad = 0;
    for (int64_t i = 0; i < expected.spec.shape.elements() && bad < 5; ++i) {
      const double x = expected[i], y = found[i];
      const bool good = std::isnan(x)   ? std::isnan(y)
                        : std::isinf(x) ? x == y
                                        : std::abs(x - y) <= tolerance;
      if (good) continue;
      ++bad;
      ADD_FAILURE() << "output " << output << " element " << i << " is " << y << ", expected " << x
                    << " within " << tolerance;
    }
  }

  const KernelCase& case_;
  const LayoutChoice& layouts_;
  Specs input_specs_, output_specs_;
  KernelPtr kernel_;
};

void check_layouts(const KernelCase& kernel_case, const LayoutChoice& layouts) {
  const Runner runner(kernel_case, layouts);
  const std::vector<Bytes> first = runner.run({}, false);
  runner.compare(first);
  EXPECT_TRUE(runner.run({}, true) == first) << "inputs that are not aligned change the result";
  for (const Overwrites& overwrites : overwrite_choices(
           kernel_case.op, specs_of(kernel_case.inputs), specs_of(kernel_case.expected), layouts)) {
    std::string pairs;
    for (const auto& [input, output] : overwrites)
      pairs.append(" ")
          .append(std::to_string(output))
          .append(" over input ")
          .append(std::to_string(input));
    EXPECT_TRUE(runner.run(overwrites, false) == first)
        << (pairs.empty() ? "a second run differs" : "differs with output" + pairs);
  }
}

std::string to_string(const LayoutChoice& choice) {
  std::string text = "channel blocks of inputs";
  for (const Layout& layout : choice.inputs)
    text.append(" ").append(std::to_string(layout.channel_block));
  text += ", outputs";
  for (const Layout& layout : choice.outputs)
    text.append(" ").append(std::to_string(layout.channel_block));
  return text;
}

class ThreadCount {
 public:
  explicit ThreadCount(int count) : before_(thread_count()) { set_thread_count(count); }
  ~ThreadCount() { set_thread_count(before_); }

 private:
  int before_;
};

}  // namespace

void check_kernels(const KernelCase& kernel_case) {
  const Specs inputs = specs_of(kernel_case.inputs), outputs = specs_of(kernel_case.expected);
  for (const LayoutChoice& choice : layout_choices(kernel_case.op, inputs, outputs)) {
    SCOPED_TRACE(to_string(choice));
    for (const int threads : {1, 3}) {
      SCOPED_TRACE(std::to_string(threads) + " threads");
      const ThreadCount scoped(threads);
      check_layouts(kernel_case, choice);
    }
  }
}

}  // namespace plimsoll::testing
