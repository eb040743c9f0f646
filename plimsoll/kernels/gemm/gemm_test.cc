#include "plimsoll/kernels/gemm/gemm.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/base/threads.h"

namespace plimsoll::kernels {
namespace {

constexpr float kGuard = 12345.5f;
constexpr int64_t kGuardFloats = 64;

// Sets the number of threads for one test.
class ThreadCount {
 public:
  explicit ThreadCount(int count) : before_(thread_count()) { set_thread_count(count); }
  ~ThreadCount() { set_thread_count(before_); }

 private:
  int before_;
};

std::vector<float> random_floats(int64_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) value = uniform(engine);
  return values;
}

// A problem with its operands. Floats that no product may touch (around C and between its rows)
// hold kGuard.
struct Case {
  GemmProblem problem;
  int64_t offset = 0;  // floats by which operands miss alignment
  std::vector<float> a, b, c, bias;

  explicit Case(GemmProblem p, unsigned seed = 1) : problem(p) {
    const int64_t rows_a = p.transpose_a ? p.k : p.m, rows_b = p.transpose_b ? p.n : p.k;
    offset = seed % 4;
    a = random_floats(offset + rows_a * lda() + std::max<int64_t>(p.batch - 1, 0) * p.stride_a,
                      seed);
    b = random_floats(offset + rows_b * ldb() + std::max<int64_t>(p.batch - 1, 0) * p.stride_b,
                      seed + 1);
    bias = random_floats(p.n, seed + 2);
    c = fresh_c(seed + 3);
  }

  int64_t lda() const {
    return problem.lda ? problem.lda : problem.transpose_a ? problem.m : problem.k;
  }
  int64_t ldb() const {
    return problem.ldb ? problem.ldb : problem.transpose_b ? problem.k : problem.n;
  }
  int64_t ldc() const { return problem.ldc ? problem.ldc : problem.n; }

  int64_t c_index(int64_t item, int64_t i, int64_t j) const {
    return kGuardFloats + offset + item * problem.stride_c + i * ldc() + j;
  }

  // C before the product: NaN where it must not be read.
  std::vector<float> fresh_c(unsigned seed) const {
    const GemmProblem& p = problem;
    const int64_t size = c_index(std::max<int64_t>(p.batch - 1, 0), p.m, 0) + kGuardFloats;
    std::vector<float> values(static_cast<size_t>(size), kGuard);
    const std::vector<float> random = random_floats(size, seed);
    for (int64_t item = 0; item < p.batch; ++item)
      for (int64_t i = 0; i < p.m; ++i)
        for (int64_t j = 0; j < p.n; ++j) {
          const auto at = static_cast<size_t>(c_index(item, i, j));
          values[at] = p.accumulate ? random[at] : std::numeric_limits<float>::quiet_NaN();
        }
    return values;
  }

  double reference(int64_t item, int64_t i, int64_t j) const {
    const GemmProblem& p = problem;
    const float* a0 = a.data() + offset + item * p.stride_a;
    const float* b0 = b.data() + offset + item * p.stride_b;
    double sum = p.accumulate ? c[static_cast<size_t>(c_index(item, i, j))] : 0.0;
    for (int64_t q = 0; q < p.k; ++q)
      sum += static_cast<double>(p.transpose_a ? a0[q * lda() + i] : a0[i * lda() + q]) *
             static_cast<double>(p.transpose_b ? b0[j * ldb() + q] : b0[q * ldb() + j]);
    if (p.epilogue == Epilogue::bias || p.epilogue == Epilogue::bias_relu)
      sum += bias[static_cast<size_t>(j)];
    if (p.epilogue == Epilogue::relu || p.epilogue == Epilogue::bias_relu)
      sum = sum < 0.0 ? 0.0 : sum;
    return sum;
  }

  // C after the product, guards included. Fails if scratch was written past its declared end.
  std::vector<float> run() const {
    const Gemm gemm(problem);
    const auto bytes = static_cast<size_t>(gemm.scratch_bytes());
    std::vector<std::byte> storage(bytes + 192, std::byte{0xA5});
    void* start = storage.data() + 64;
    size_t space = bytes + 128;
    auto* scratch = static_cast<std::byte*>(std::align(64, bytes, start, space));
    std::vector<float> result = c;
    gemm.run(a.data() + offset, b.data() + offset, result.data() + c_index(0, 0, 0), bias.data(),
             scratch);
    std::fill_n(scratch, bytes, std::byte{0xA5});
    EXPECT_TRUE(std::all_of(storage.begin(), storage.end(), [](std::byte value) {
      return value == std::byte{0xA5};
    })) << "wrote outside of scratch";
    return result;
  }
};

std::string describe(const GemmProblem& p) {
  return "m=" + std::to_string(p.m) + " n=" + std::to_string(p.n) + " k=" + std::to_string(p.k) +
         " ta=" + std::to_string(p.transpose_a) + " tb=" + std::to_string(p.transpose_b) +
         " ld=" + std::to_string(p.lda) + "," + std::to_string(p.ldb) + "," +
         std::to_string(p.ldc) + " batch=" + std::to_string(p.batch) +
         " accumulate=" + std::to_string(p.accumulate) +
         " epilogue=" + std::to_string(static_cast<int>(p.epilogue));
}

void expect_right(const Case& test) {
  const GemmProblem& p = test.problem;
  SCOPED_TRACE(describe(p) + " threads=" + std::to_string(thread_count()));
  const std::vector<float> result = test.run();
  std::vector<float> guards = result;
  const double tolerance = 1e-6 * (4.0 + static_cast<double>(p.k) / 4);
  for (int64_t item = 0; item < p.batch; ++item)
    for (int64_t i = 0; i < p.m; ++i)
      for (int64_t j = 0; j < p.n; ++j) {
        const auto at = static_cast<size_t>(test.c_index(item, i, j));
        ASSERT_NEAR(result[at], test.reference(item, i, j), tolerance) << i << "," << j;
        guards[at] = kGuard;
      }
  EXPECT_TRUE(std::all_of(guards.begin(), guards.end(), [](float x) { return x == kGuard; }))
      << "wrote outside of C";
}

GemmProblem random_problem(std::mt19937& engine, int64_t largest) {
  const auto up_to = [&](int64_t n) {
    return std::uniform_int_distribution<int64_t>(0, n)(engine);
  };
  GemmProblem p;
  p.m = 1 + up_to(largest - 1), p.n = 1 + up_to(largest - 1), p.k = up_to(largest);
  p.transpose_a = up_to(1), p.transpose_b = up_to(1), p.accumulate = up_to(1);
  p.epilogue = static_cast<Epilogue>(up_to(3));
  if (up_to(1)) p.lda = (p.transpose_a ? p.m : p.k) + 1 + up_to(9);
  if (up_to(1)) p.ldb = (p.transpose_b ? p.k : p.n) + 1 + up_to(9);
  if (up_to(1)) p.ldc = p.n + 1 + up_to(9);
  p.batch = up_to(3) ? 1 : 1 + up_to(5);
  const auto rows = [](int64_t count, int64_t leading, int64_t width) {
    return count * (leading ? leading : width);
  };
  if (up_to(2)) p.stride_a = p.transpose_a ? rows(p.k, p.lda, p.m) : rows(p.m, p.lda, p.k);
  if (up_to(2)) p.stride_b = p.transpose_b ? rows(p.n, p.ldb, p.k) : rows(p.k, p.ldb, p.n);
  p.stride_c = rows(p.m, p.ldc, p.n) + up_to(3);
  return p;
}

TEST(Gemm, AgreesWithAPlainLoopForEveryTransposeEpilogueAndAccumulation) {
  for (int64_t size : {1, 5, 6, 7, 16, 17, 40})
    for (bool transpose_a : {false, true})
      for (bool transpose_b : {false, true})
        for (bool accumulate : {false, true})
          for (Epilogue epilogue :
               {Epilogue::none, Epilogue::bias, Epilogue::bias_relu, Epilogue::relu})
            expect_right(Case({.m = size,
                               .n = 41 - size,
                               .k = 2 * size + 1,
                               .transpose_a = transpose_a,
                               .transpose_b = transpose_b,
                               .accumulate = accumulate,
                               .epilogue = epilogue}));
}

TEST(Gemm, AgreesWithAPlainLoopForRandomProblemsOnOneTwoAndThreeThreads) {
  std::mt19937 engine(7);
  for (unsigned round = 0; round < 600; ++round) {
    const ThreadCount threads(1 + static_cast<int>(round % 3));
    expect_right(Case(random_problem(engine, 40), round));
  }
}

TEST(Gemm, AgreesWithAPlainLoopOnEveryInstructionSetOfThisMachine) {
  for (int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    std::mt19937 engine(11);
    for (unsigned round = 0; round < 100; ++round)
      expect_right(Case(random_problem(engine, 40), round));
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

struct Size {
  int64_t m, n, k;
};

// Long enough in each direction to need several blocks, parts and, for skinny ones, ranges of k.
constexpr Size kLongSizes[] = {{1, 3000, 37},   {1, 37, 3000},   {3000, 1, 37},  {37, 1, 3000},
                               {3, 10, 9000},   {3, 9000, 10},   {1, 1, 9000},   {330, 35, 700},
                               {35, 1100, 300}, {65, 63, 2000},  {1, 1500, 700}, {2, 700, 1500},
                               {32, 10, 20000}, {20000, 10, 32}, {16, 40000, 5}};

TEST(Gemm, AgreesWithAPlainLoopWhenOneDimensionIsLong) {
  for (int threads : {1, 2, 3}) {
    const ThreadCount scope(threads);
    for (bool transpose_a : {false, true})
      for (bool transpose_b : {false, true})
        for (const Size& size : kLongSizes)
          expect_right(Case({.m = size.m,
                             .n = size.n,
                             .k = size.k,
                             .transpose_a = transpose_a,
                             .transpose_b = transpose_b,
                             .accumulate = transpose_a,
                             .epilogue = transpose_b ? Epilogue::bias_relu : Epilogue::none}));
  }
}

TEST(Gemm, AgreesWithAPlainLoopForBatchesSharedByThreads) {
  for (int threads : {1, 2, 3}) {
    const ThreadCount scope(threads);
    for (bool transpose : {false, true})
      for (int64_t broadcast : {0, 1})
        expect_right(Case({.m = 50,
                           .n = 60,
                           .k = 70,
                           .transpose_a = transpose,
                           .transpose_b = transpose,
                           .batch = 5,
                           .stride_a = broadcast * 50 * 70,
                           .stride_b = (1 - broadcast) * 60 * 70,
                           .stride_c = 50 * 60,
                           .epilogue = Epilogue::bias}));
  }
}

TEST(Gemm, SplitsKWhenCIsTooSmallToShare) {
  const ThreadCount threads(3);
  EXPECT_EQ(Gemm({.m = 32, .n = 10, .k = 394272}).plan().parts_k, 3);
}

TEST(Gemm, StaysOnOneThreadWhenStartingMoreTakesLonger) {
  const ThreadCount threads(3);
  EXPECT_EQ(Gemm({.m = 32, .n = 32, .k = 64}).plan().threads, 1);
  EXPECT_EQ(Gemm({.m = 512, .n = 512, .k = 512}).plan().threads, 3);
}

TEST(Gemm, WantsTwoMebibytesOfScratchAThreadAtMost) {
  const ThreadCount threads(3);
  const int64_t limit = 3 * (int64_t{2} << 20);
  EXPECT_LE(Gemm({.m = 200000, .n = 20000, .k = 20000}).scratch_bytes(), limit);
  EXPECT_LE(Gemm({.m = 32, .n = 10, .k = 394272}).scratch_bytes(), limit);
  EXPECT_LE(Gemm({.m = 1, .n = 1 << 20, .k = 1 << 20}).scratch_bytes(), limit);
}

TEST(Gemm, RepeatsItsBitsForTheSameProblemAndThreadCount) {
  std::mt19937 engine(3);
  for (unsigned round = 0; round < 30; ++round) {
    const ThreadCount threads(1 + static_cast<int>(round % 3));
    const GemmProblem skinny = {.m = 5, .n = 7, .k = 60000};
    const Case test(round < 6 ? skinny : random_problem(engine, 200), round);
    const std::vector<float> first = test.run(), second = test.run();
    EXPECT_EQ(std::memcmp(first.data(), second.data(), first.size() * sizeof(float)), 0)
        << describe(test.problem);
  }
}

TEST(Gemm, OfNoDepthWritesZerosThenTheEpilogue) {
  Case test({.m = 3, .n = 5, .k = 0, .epilogue = Epilogue::bias});
  const std::vector<float> result = test.run();
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 5; ++j)
      EXPECT_EQ(result[static_cast<size_t>(test.c_index(0, i, j))],
                test.bias[static_cast<size_t>(j)]);
}

TEST(Gemm, OfNoRowsOrColumnsTouchesNothing) {
  for (auto [m, n, batch] : {std::tuple(0, 5, 1), std::tuple(5, 0, 1), std::tuple(5, 5, 0)})
    expect_right(Case({.m = m, .n = n, .k = 4, .batch = batch, .stride_c = 25}));
}

TEST(Gemm, SpreadsNanAndInfinityLikeAPlainLoopEvenAgainstZeros) {
  for (int64_t n : {1, 7, 40}) {
    Case test({.m = 9, .n = n, .k = 20, .epilogue = Epilogue::relu});
    std::fill(test.b.begin(), test.b.end(), 0.0f);
    test.a[static_cast<size_t>(test.offset + 2 * 20 + 3)] = std::numeric_limits<float>::infinity();
    test.a[static_cast<size_t>(test.offset + 5 * 20 + 19)] =
        std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> result = test.run();
    for (int64_t i = 0; i < 9; ++i)
      for (int64_t j = 0; j < n; ++j)
        EXPECT_EQ(std::isnan(result[static_cast<size_t>(test.c_index(0, i, j))]), i == 2 || i == 5)
            << i << "," << j;
  }
}

TEST(Gemm, RefusesSizesAndStridesThatCannotWork) {
  EXPECT_THROW(Gemm({.m = -1, .n = 2, .k = 2}), InvalidArgument);
  EXPECT_THROW(Gemm({.m = 2, .n = 2, .k = 4, .lda = 3}), InvalidArgument);
  EXPECT_THROW(Gemm({.m = 2, .n = 4, .k = 2, .ldc = 3}), InvalidArgument);
  EXPECT_THROW(Gemm({.m = 2, .n = 2, .k = 2, .batch = 2, .stride_c = 3}), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll::kernels
