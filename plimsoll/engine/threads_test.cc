// Tensors, variables and tapes that cross from thread to thread: the rules of graph/context.h.
// These also run under ThreadSanitizer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <future>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/engine/memory/arena.h"
#include "plimsoll/engine/step_cache.h"
#include "plimsoll/graph/context.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/pending.h"
#include "plimsoll/ops/ops.h"

namespace plimsoll {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

Tensor numbers(std::initializer_list<float> values) {
  return constant(std::span<const float>(values.begin(), values.size()),
                  {static_cast<int64_t>(values.size())});
}

Variable variable_with(std::initializer_list<float> values) {
  Variable variable("v", {DType::float32, {static_cast<int64_t>(values.size())}});
  variable.set({values.begin(), values.size()});
  return variable;
}

// What the function returns, on a thread that ends before this returns.
template <class Function>
auto on_thread(Function&& function) {
  return std::async(std::launch::async, std::forward<Function>(function)).get();
}

// Every node that is recorded meanwhile is gone at the end.
class NodesOfThisThread {
 public:
  int64_t added() const { return Context::current().live_node_count() - before_; }

 private:
  int64_t before_ = Context::current().live_node_count();
};

TEST(Threads, ATensorThatIsFreedOnAnotherThreadLeavesItsOwnersList) {
  const NodesOfThisThread nodes;
  std::vector<Tensor> tensors;
  for (int i = 0; i < 100; ++i) tensors.push_back(numbers({1, 2}) * static_cast<double>(i));
  on_thread([given = std::move(tensors)]() mutable {
    given.clear();
    return 0;
  });
  EXPECT_EQ(nodes.added(), 0);
  EXPECT_EQ(Context::current().pending_op_count(), 0);
  for (const LiveTensors& line : live_tensors())
    EXPECT_THAT(line.file, testing::Not(HasSubstr("engine/threads_test.cc")));
}

TEST(Threads, AChainThatIsFreedOnAnotherThreadIsFreedWithoutRecursion) {
  const NodesOfThisThread nodes;
  Tensor x = numbers({1});
  for (int i = 0; i < 200000; ++i) x = x + 1;
  on_thread([x = std::move(x)]() mutable {
    x = {};
    return 0;
  });
  EXPECT_EQ(nodes.added(), 0);
}

TEST(Threads, ATensorIsComputedOnTheThreadThatAsks) {
  const Tensor y = numbers({1, -2, 3}) * 2;
  EXPECT_THAT(on_thread([&] { return y.to_vector(); }), ElementsAre(2, -4, 6));
  EXPECT_THAT(y.to_vector(), ElementsAre(2, -4, 6));
}

TEST(Threads, ATensorOutlivesTheThreadThatRecordedIt) {
  const Tensor pending = on_thread([] { return numbers({1, 2}) + 1; });
  EXPECT_THAT((pending * 10).to_vector(), ElementsAre(20, 30));
  EXPECT_EQ(pending.value().node->inputs.size(), 0u) << "its history is dropped with its thread";
}

TEST(Threads, AStepThatEachRunsInAThreadOfItsOwnKeepsNoHistory) {
  std::weak_ptr<Node> first;
  Tensor state = numbers({0});
  for (int i = 0; i < 5; ++i) {
    state = on_thread([before = state] { return before + 1; });
    if (i == 0) first = state.value().node;
    EXPECT_EQ(state.item(), i + 1);
  }
  EXPECT_TRUE(first.expired());
}

TEST(Threads, AnOpMayTakeTensorsOfSeveralThreads) {
  const Tensor a = on_thread([] { return numbers({1, 2}) + 1; });
  const Tensor b = on_thread([&] { return a * numbers({10, 10}); });
  EXPECT_THAT(concatenate({a, b, numbers({0})}, 0).to_vector(), ElementsAre(2, 3, 20, 30, 0));
}

TEST(Threads, HistoryThatAnotherThreadMadeNeedlessIsDroppedByTheOwner) {
  const Tensor x = numbers({1, 2}) + 1;
  on_thread([&] { return x.to_vector(); });
  EXPECT_NE(x.value().node->op, nullptr) << "only its own thread may drop it";
  evaluate({});
  EXPECT_EQ(x.value().node->op, nullptr);
}

TEST(Threads, AnOpenTapeKeepsHistoryThatAnotherThreadMadeNeedless) {
  const Variable v = variable_with({3});
  const GradientTape tape;
  const Tensor loss = sum(v * v);
  EXPECT_EQ(on_thread([&] { return loss.item(); }), 9);
  const Variable sources[] = {v};
  EXPECT_EQ(tape.gradient(loss, sources)[0].item(), 6);
}

TEST(Threads, GradientsStopAtWhatAnotherThreadRecorded) {
  const Variable v = variable_with({3});
  const Tensor square = on_thread([&] { return v * v; });
  const GradientTape tape({.persistent = true});
  const Tensor loss = sum(square * 2);
  const Variable sources[] = {v};
  EXPECT_FALSE(tape.gradient(loss, sources)[0].defined());
  const Tensor inner[] = {square};
  EXPECT_EQ(tape.gradient(loss, inner)[0].item(), 2);
}

TEST(Threads, AVariablesValueStaysAsItWasForAThreadThatHoldsIt) {
  Variable v = variable_with({1, 2});
  const Tensor held = v.value(), pending = v * 10;
  on_thread([&] {
    v.assign(v + 100);
    evaluate({});
    return 0;
  });
  EXPECT_THAT(v.value().to_vector(), ElementsAre(101, 102));
  EXPECT_THAT(held.to_vector(), ElementsAre(1, 2));
  EXPECT_THAT(pending.to_vector(), ElementsAre(10, 20));
}

TEST(Threads, SettingAVariableSettlesTheReadersOfOtherThreads) {
  Variable v = variable_with({1, 2});
  Variable w = variable_with({0, 0});
  const Tensor held = v.value(), pending = v * 10;
  w.assign(v + 0.5);
  on_thread([&] {
    v.set(std::vector<float>{7, 8});
    return 0;
  });
  EXPECT_THAT(held.to_vector(), ElementsAre(1, 2));
  EXPECT_THAT(pending.to_vector(), ElementsAre(10, 20));
  EXPECT_THAT(w.value().to_vector(), ElementsAre(1.5, 2.5));
}

TEST(Threads, AnAssignmentIsMadeByWhicheverThreadAsks) {
  Variable v = variable_with({1});
  v.assign(v + 1);
  EXPECT_EQ(on_thread([&] { return *reinterpret_cast<const float*>(v.data()); }), 2);
  EXPECT_FALSE(Context::current().has_assignments());

  on_thread([&] {
    v.assign(v * 5);  // and its thread ends before anybody asks
    return 0;
  });
  v.assign(v + 1);
  EXPECT_EQ(v.value().item(), 11);
}

TEST(Threads, AVariableThatDiesWithAnAssignmentPendingTakesItsContextWithIt) {
  std::weak_ptr<Context> context;
  {
    const Variable v = on_thread([&] {
      Variable made = variable_with({1});
      made.assign(numbers({2}));
      context = Context::current().weak_from_this();
      return made;
    });
    EXPECT_FALSE(context.expired());
  }
  EXPECT_TRUE(context.expired());
}

TEST(Threads, AContextEndsWithItsThreadAndItsLastNode) {
  std::weak_ptr<Context> context;
  std::weak_ptr<Arena> arena;
  Tensor kept = on_thread([&] {
    context = Context::current().weak_from_this();
    Tensor y = numbers({1}) + 1;
    y.data();
    arena = Arena::shared();
    return y;
  });
  EXPECT_TRUE(arena.expired()) << "the cached steps of a thread end with it";
  EXPECT_FALSE(context.expired());
  kept = {};
  EXPECT_TRUE(context.expired());
}

TEST(Threads, EachThreadHasItsOwnStepsArenaAndScopes) {
  clear_step_cache();
  numbers({1}).data();
  const int64_t compiled = step_cache_counts().compiled;
  on_thread([] { return (numbers({1, 2, 3, 4, 5}) * 3).to_vector(); });
  EXPECT_EQ(step_cache_counts().compiled, compiled);
  const GradientTape tape;
  EXPECT_FALSE(on_thread([] { return GradientTape::recording(); }));
}

TEST(Threads, APlaceholderHasNoValueOnAnyThread) {
  const Tensor input = placeholder({DType::float32, {2}});
  EXPECT_THAT([&] { on_thread([&] { return input.data(); }); },
              ThrowsMessage<InvalidArgument>(HasSubstr("placeholder")));
}

// A pool of tensors that every thread takes from, adds to, evaluates and drops at random.
class SharedTensors {
 public:
  explicit SharedTensors(size_t size) : slots_(size) {
    for (size_t i = 0; i < size; ++i) slots_[i] = {scalar(static_cast<double>(i)), double(i)};
  }
  struct Slot {
    Tensor tensor;
    double expected = 0;
  };
  Slot get(size_t i) {
    const std::lock_guard lock(mutex_);
    return slots_[i];
  }
  void set(size_t i, Slot slot) {
    const std::lock_guard lock(mutex_);
    std::swap(slots_[i], slot);
  }  // what was there is freed after the lock, on this thread

 private:
  std::mutex mutex_;
  std::vector<Slot> slots_;
};

// Recording, evaluating and freeing at random; the number of wrong values.
int mix(SharedTensors& shared, size_t size, unsigned seed, int rounds) {
  std::mt19937 random(seed);
  const auto draw = [&](size_t below) { return static_cast<size_t>(random() % below); };
  int wrong = 0;
  for (int round = 0; round < rounds; ++round) {
    const auto a = shared.get(draw(size)), b = shared.get(draw(size));
    // Small integers, so that every number is exact.
    const double sum = std::fmod(a.expected + b.expected, 1024);
    Tensor made = a.tensor + b.tensor;
    if (a.expected + b.expected >= 1024) made = made - 1024;
    if (draw(3) == 0 && made.item() != sum) ++wrong;
    if (draw(3) == 0 && b.tensor.item() != b.expected) ++wrong;
    shared.set(draw(size), {made, sum});
  }
  return wrong;
}

TEST(Threads, ManyThreadsUseAndFreeEachOthersTensorsAtRandom) {
  constexpr size_t kTensors = 16;
  constexpr int kThreads = 8, kRounds = 300;
  SharedTensors shared(kTensors);
  std::vector<std::future<int>> wrong;
  for (unsigned seed = 0; seed < kThreads; ++seed)
    wrong.push_back(
        std::async(std::launch::async, [&, seed] { return mix(shared, kTensors, seed, kRounds); }));
  for (std::future<int>& thread : wrong) EXPECT_EQ(thread.get(), 0);
  for (size_t i = 0; i < kTensors; ++i)
    EXPECT_EQ(shared.get(i).tensor.item(), shared.get(i).expected);
}

// What one thread hands to others, which free it.
class Litter {
 public:
  struct Item {
    Tensor tensor;
    std::unique_ptr<GradientTape> tape;
  };
  void add(Item item) {
    const std::lock_guard lock(mutex_);
    items_.push_back(std::move(item));
  }
  struct Ending {
    ~Ending() { litter.is_ended_ = true; }
    Litter& litter;
  };
  // Frees what is there until the end.
  void sweep() {
    while (!is_ended_) {
      std::vector<Item> items;
      {
        const std::lock_guard lock(mutex_);
        items.swap(items_);
      }
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }

 private:
  std::mutex mutex_;
  std::vector<Item> items_;
  std::atomic<bool> is_ended_ = false;
};

TEST(Threads, TapesAndWhatTheyRecordedAreFreedByOthersWhileTheirThreadTrains) {
  Litter litter;
  std::vector<std::future<void>> sweepers;
  for (int i = 0; i < 2; ++i)
    sweepers.push_back(std::async(std::launch::async, [&] { litter.sweep(); }));
  const Litter::Ending ending{litter};
  Variable v = variable_with({8, 16});
  const Variable sources[] = {v};
  for (int i = 0; i < 100; ++i) {
    auto tape = std::make_unique<GradientTape>(TapeOptions{.persistent = i % 3 == 0});
    Tensor loss = sum(v * v);
    if (i % 2 == 0) tape->stop();
    if (i % 5 == 0) loss.item();
    v.assign(v - tape->gradient(loss, sources)[0]);
    litter.add({std::move(loss), std::move(tape)});
    litter.add({v * 2, i % 7 == 0 ? std::make_unique<GradientTape>() : nullptr});
  }
  EXPECT_THAT(v.value().to_vector(), ElementsAre(8, 16)) << "each step changes the sign";
}

TEST(Threads, ReadingOneVariableFromManyThreadsIsSafe) {
  const Variable v = variable_with({1, 2, 3});
  std::vector<std::future<double>> sums;
  for (int i = 0; i < 8; ++i)
    sums.push_back(std::async(std::launch::async, [&, i] {
      double total = 0;
      for (int round = 0; round < 50; ++round) total += sum(v * static_cast<double>(i)).item();
      return total;
    }));
  for (size_t i = 0; i < sums.size(); ++i) EXPECT_EQ(sums[i].get(), 300.0 * double(i));
}

// The lock is the program's own. It does not reach to where an assignment is made, which is when
// the thread next asks for something.
TEST(Threads, AVariableThatALockGuardsHasTheLastValueThatWasAssigned) {
  Variable v = variable_with({0, 0, 0});
  std::mutex guard;
  double last = 0;
  std::atomic<int> wrong = 0;
  std::vector<std::future<void>> threads;
  for (int i = 0; i < 4; ++i)
    threads.push_back(std::async(std::launch::async, [&] {
      for (int round = 0; round < 300; ++round) {
        {
          const std::lock_guard lock(guard);
          if (sum(v.value()).item() != 3 * last) ++wrong;
          v.assign(v * 0 + ++last);
        }
        sum(numbers({1, 2})).item();  // makes the assignment
      }
    }));
  for (auto& thread : threads) thread.get();
  EXPECT_EQ(wrong, 0);
}

// Gradient descent on |v - target|², by hand: the weights after it.
std::vector<float> descend(float target) {
  Variable v = variable_with({0, 1, 2});
  for (int i = 0; i < 40; ++i) {
    const GradientTape tape;
    const Tensor off = v - static_cast<double>(target);
    const Tensor loss = sum(off * off);
    const Variable sources[] = {v};
    v.assign(v - tape.gradient(loss, sources)[0] * 0.1);
    if (i % 7 == 0) loss.item();
  }
  return v.value().to_vector();
}

TEST(Threads, LoopsByHandInTwoThreadsGiveTheBitsOfOneAfterTheOther) {
  const std::vector<float> first = descend(3), second = descend(-5);
  auto other = std::async(std::launch::async, [] { return descend(-5); });
  auto one = std::async(std::launch::async, [] { return descend(3); });
  EXPECT_EQ(one.get(), first);
  EXPECT_EQ(other.get(), second);
}

}  // namespace
}  // namespace plimsoll
