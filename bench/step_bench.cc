// Training steps of one case, run in turns with the peers by bench/peers/interleave.py; the lines
// it says and hears are described in bench/peers/step_protocol.py.
#include <chrono>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "plimsoll/train/model_steps.h"
#include "plimsoll/train/phase.h"
#include "tests/support/example_models.h"

namespace plimsoll {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// One callback that runs the conversation inside fit: fit's own loop is what is measured.
class Conversation final : public Callback {
 public:
  Conversation(Clock::time_point started, int64_t resident_bytes)
      : started_(started), resident_bytes_(resident_bytes) {}

  struct Done {};  // thrown to leave fit

  void on_train_batch_end(TrainingState&) override {
    if (!ready_) {
      ready_ = true;
      std::printf(
          "{\"ready\": true, \"import_rss_kib\": %lld, \"import_seconds\": 0, "
          "\"first_step_seconds\": %.6f}\n",
          static_cast<long long>(resident_bytes_ / 1024), seconds_since(started_));
      next_command();
      return;
    }
    step_seconds_.push_back(seconds_since(step_start_));
    if (--left_ == 0) {
      report();
      next_command();
    }
    step_start_ = Clock::now();
  }

 private:
  void next_command() {
    std::fflush(stdout);
    std::string word;
    if (!(std::cin >> word) || word == "quit") throw Done{};
    if (word != "run" || !(std::cin >> left_) || left_ < 1)
      throw InvalidArgument("step_bench: expected 'run N' or 'quit'");
    step_seconds_.clear();
    step_seconds_.reserve(static_cast<size_t>(left_));
    cpu_start_ = std::clock();
    run_start_ = step_start_ = Clock::now();
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
  bool ready_ = false;
  int64_t left_ = 0;
  std::vector<double> step_seconds_;
};

int64_t batch_of(const std::string& name) {
  if (name == "mlp") return 128;
  if (name == "lstm") return 512;
  return name == "lstm_1" ? 1 : 32;
}

int run(const std::string& name) {
  const Clock::time_point started = Clock::now();
  const int64_t imported = process_memory().resident_bytes;
  const int64_t batch = batch_of(name);
  set_thread_count(2);
  ExampleModel example = example_model(name);
  const auto conversation = std::make_shared<Conversation>(started, imported);
  try {
    // One batch of data, every step on it, like the peers.
    example.model.fit(
        Dataset(example_records(example.fields, batch, batch << 24)),
        {.batch_size = batch, .shuffle = false, .verbose = 0, .callbacks = {conversation}});
  } catch (const Conversation::Done&) {
  }
  std::printf("{\"peak_rss_kib\": %lld, \"rss_kib\": %lld}\n",
              static_cast<long long>(process_memory().peak_resident_bytes / 1024),
              static_cast<long long>(process_memory().resident_bytes / 1024));
  return 0;
}

}  // namespace
}  // namespace plimsoll

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: step_bench cnn|mlp|lstm|lstm_1|lstm_32|demo|functional\n");
    return 2;
  }
  try {
    return plimsoll::run(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "step_bench: %s\n", error.what());
    return 3;
  }
}
