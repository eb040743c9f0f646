// Progress of runs, for tests of what a console shows.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "plimsoll/record/run_observer.h"

namespace plimsoll::testing {

inline constexpr NamedNumber kMetrics[] = {{"loss", 0.43121}, {"accuracy", 0.84671}};

inline Progress halfway() {
  return {.epoch = 1,
          .epochs = 5,
          .batch = 320,
          .batches = 960,
          .samples = 10240,
          .seconds = 2,
          .resident_bytes = 60 << 20,
          .metrics = kMetrics};
}

// Any progress: names that are wide, combine, steer terminals or are not UTF-8, and any numbers.
class RandomProgress {
 public:
  explicit RandomProgress(unsigned seed) : random_(seed) {
    static const std::vector<std::string> pieces = {"loss",
                                                    "val_",
                                                    "accuracy",
                                                    "\xe7\x8c\xab",
                                                    "e\xcc\x81",
                                                    "\xf0\x9f\x98\x80",
                                                    "\x1b[2J",
                                                    "f\xc3\xbc",
                                                    "\xff",
                                                    "_",
                                                    "mean",
                                                    "\n",
                                                    "\xe2\x9d\xa4\xef\xb8\x8f"};
    const auto count = static_cast<size_t>(pick(0, 12));
    for (size_t i = 0; i < count; ++i) {
      std::string name = i == 0 ? "loss" : i == 1 ? "val_loss" : "";
      while (name.empty() || pick(0, 2) == 0)
        name += pieces[static_cast<size_t>(pick(0, static_cast<int64_t>(pieces.size()) - 1))];
      names_.push_back(std::move(name));
    }
    for (const std::string& name : names_) numbers_.push_back({name, number()});
  }

  Progress progress() {
    return {.work = pick(0, 4) == 0 ? "evaluate" : "epoch",
            .epoch = pick(0, 2000),
            .epochs = pick(1, 100000),
            .batch = pick(1, 1000000),
            .batches = pick(0, 1) * pick(1, 1000000),
            .samples = pick(0, 1LL << 40),
            .seconds = static_cast<double>(pick(0, 1000000)) / 100,
            .wait_seconds = static_cast<double>(pick(0, 1000000)) / 100,
            .resident_bytes = pick(1, 1LL << 42),
            .planned_bytes = pick(0, 1) * pick(0, 1LL << 42),
            .budget_bytes = pick(0, 1) * pick(0, 1LL << 42),
            .metrics = numbers_};
  }

 private:
  int64_t pick(int64_t first, int64_t last) {
    return std::uniform_int_distribution<int64_t>(first, last)(random_);
  }
  double number() {
    static const double kSome[] = {0,   0.5,      -0.25,     1e-9,     -3e-200,
                                   1e9, -1.7e308, 1.0 / 0.0, 0.0 / 0.0};
    return pick(0, 1) == 0 ? kSome[pick(0, 8)] : static_cast<double>(pick(-1000000, 1000000)) / 997;
  }

  std::mt19937 random_;
  std::vector<std::string> names_;
  std::vector<NamedNumber> numbers_;
};

// The text without ANSI colours.
inline std::string without_colours(std::string text) {
  for (size_t at; (at = text.find("\x1b[")) != std::string::npos;)
    text.erase(at, text.find('m', at) + 1 - at);
  return text;
}

}  // namespace plimsoll::testing
