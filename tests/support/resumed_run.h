// A small run of fit that is stopped and goes on, and what it leaves, for the tests of that.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/plimsoll.h"

namespace plimsoll::resumed {

constexpr int64_t kRecords = 26;

// A run, made anew for each try: a process that goes on has nothing of the one before it.
struct Case {
  std::string name;
  std::function<Sequential()> model;
  std::function<Dataset()> data;
  FitOptions options;
  std::function<Callbacks()> callbacks = [] { return Callbacks(); };
};

// What a run leaves.
struct Result {
  std::vector<std::vector<std::byte>> state;  // of weights and optimizer
  std::map<std::string, std::vector<double>> history;
  std::vector<int64_t> epochs;
  std::vector<std::string> bad;
  int64_t steps = 0;
};

// Runs in `folder`; asked to stop after `stop_after` training steps, if any, it throws Interrupted
// and leaves `result` as it is.
void run(const Case& of, const std::string& folder, std::optional<int64_t> stop_after,
         Result& result);
// To the bit.
void expect_equal(const Result& found, const Result& expected, const std::string& what);

// kRecords records of four numbers and a target, a model with dropout for them, and three epochs of
// it.
Dataset numbers();
Sequential regression(const Optimizer& optimizer = Adam({.learning_rate = 0.02}));
Case plain();

}  // namespace plimsoll::resumed
