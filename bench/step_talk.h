// StepTalk: the program's side of what bench/peers/step_protocol.py describes, for programs that
// take turns with others.
#pragma once

#include <chrono>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"

namespace plimsoll {

class StepTalk {
 public:
  // Make it when the program starts.
  StepTalk() : started_(Clock::now()), resident_bytes_(process_memory().resident_bytes) {}

  // Call after each step; it waits until the next is asked for. False: that was the last.
  bool after_step() {
    if (!is_ready_) {
      is_ready_ = true;
      say_ready();
      return next_command();
    }
    step_seconds_.push_back(seconds_since(step_start_));
    if (--left_ == 0) {
      report();
      return next_command();
    }
    step_start_ = Clock::now();
    return true;
  }

  static void say_end() {
    std::printf("{\"peak_rss_kib\": %lld, \"rss_kib\": %lld}\n",
                static_cast<long long>(process_memory().peak_resident_bytes / 1024),
                static_cast<long long>(process_memory().resident_bytes / 1024));
  }

 private:
  using Clock = std::chrono::steady_clock;

  static double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  void say_ready() const {
    std::printf(
        "{\"ready\": true, \"import_rss_kib\": %lld, \"import_seconds\": 0, "
        "\"first_step_seconds\": %.6f}\n",
        static_cast<long long>(resident_bytes_ / 1024), seconds_since(started_));
  }

  bool next_command() {
    std::fflush(stdout);
    std::string word;
    if (!(std::cin >> word) || word == "quit") return false;
    if (word != "run" || !(std::cin >> left_) || left_ < 1)
      throw InvalidArgument("expected 'run N' or 'quit'");
    step_seconds_.clear();
    step_seconds_.reserve(static_cast<size_t>(left_));
    cpu_start_ = std::clock();
    run_start_ = step_start_ = Clock::now();
    return true;
  }

  void report() const {
    std::printf("{\"steps\": %zu, \"seconds\": %.6f, \"cpu_seconds\": %.6f, \"step_seconds\": [",
                step_seconds_.size(), seconds_since(run_start_),
                static_cast<double>(std::clock() - cpu_start_) / CLOCKS_PER_SEC);
    for (size_t i = 0; i < step_seconds_.size(); ++i)
      std::printf("%s%.6f", i > 0 ? ", " : "", step_seconds_[i]);
    std::printf("]}\n");
  }

  Clock::time_point started_, run_start_, step_start_;
  std::clock_t cpu_start_ = 0;
  int64_t resident_bytes_;
  bool is_ready_ = false;
  int64_t left_ = 0;
  std::vector<double> step_seconds_;
};

}  // namespace plimsoll
