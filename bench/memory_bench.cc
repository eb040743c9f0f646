// What bench/memory.sh runs in processes of their own; each prints one JSON object.
//
//   memory_bench run MODEL BATCH [--steps N] [--memory SIZE]
//     fit in the memory that is given: planned and measured peak, predicted and measured steps.
//     Ends with 4 where fit refuses. Without --steps: a few, more where they are short.
//   memory_bench speed
//     measures the speed of the machine, unless it is known.
//   memory_bench turns MODEL BATCH ROUNDS SAVING…
//     plain steps and steps that save memory, in turns. A SAVING is a share of the plain
//     activation memory ("0.5") or the memory of a whole process ("224MiB"; whole batches then).
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/memory_models.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/engine/machine_speed.h"
#include "plimsoll/train/memory/run_planner.h"

namespace plimsoll {
namespace {

constexpr int kThreads = 2;  // as the peers have
constexpr int64_t kDistinctRecords = 8;
constexpr int kDoesNotFit = 4;

using Clock = std::chrono::steady_clock;
using Words = std::vector<std::string>;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

long long number(int64_t value) {
  return value;
}

std::string microseconds(const std::vector<double>& seconds) {
  std::string text = "[";
  for (const double value : seconds)
    text += (text.size() > 1 ? ", " : "") + std::to_string(value * 1e6);
  return text + "]";
}

// Notes the time of each step but the first, and ends training when it has enough of them.
class StepWatch final : public Callback {
 public:
  static constexpr int64_t kMostSteps = 25;

  void on_train_batch_begin(TrainingState&) override { start_ = Clock::now(); }
  void on_train_batch_end(TrainingState& state) override {
    const double seconds = seconds_since(start_);
    if (state.batch > 0) {
      step_seconds_.push_back(seconds);
      sum_ += seconds;
    }
    if (ends_early_ && step_seconds_.size() >= kLeastTimed && sum_ > kEnoughSeconds)
      state.stop_training = true;
  }

  void end_early() { ends_early_ = true; }
  const std::vector<double>& step_seconds() const { return step_seconds_; }

 private:
  static constexpr size_t kLeastTimed = 3;
  static constexpr double kEnoughSeconds = 0.5;

  Clock::time_point start_;
  bool ends_early_ = false;
  double sum_ = 0;
  std::vector<double> step_seconds_;
};

struct Run {
  std::string model;
  int64_t batch = 0;
  std::optional<int64_t> steps = {};
  std::string memory = {};
};

int run_fit(const Run& run) {
  ExampleModel example = memory_model(run.model);
  const auto watch = std::make_shared<StepWatch>();
  if (!run.steps) watch->end_early();
  const int64_t steps = run.steps.value_or(StepWatch::kMostSteps);
  const History history = example.model.fit(
      Dataset(example_records(example.fields, kDistinctRecords, run.batch * steps)),
      {.batch_size = run.batch, .memory = run.memory, .verbose = 0, .callbacks = {watch}});
  const MemoryPlan& plan = history.memory;
  std::printf(
      "{\"planned_bytes\": %lld, \"measured_bytes\": %lld, \"arena_bytes\": %lld, "
      "\"plain_arena_bytes\": %lld, \"how\": \"%s\", \"predicted_us\": %.3f, "
      "\"step_us\": %s}\n",
      number(plan.peak_bytes), number(process_memory().peak_resident_bytes),
      number(plan.arena_bytes), number(plan.plain_arena_bytes), plan.saving_text().c_str(),
      plan.step_seconds * 1e6, microseconds(watch->step_seconds()).c_str());
  return 0;
}

// Training steps of one model over the same batch, compiled in several ways.
class Turns {
 public:
  Turns(const std::string& model, int64_t batch)
      : example_(memory_model(model)),
        batch_(batch),
        steps_(network_of(example_.model), example_.model.compile_options()),
        fields_(steps_.fields_of(example_.fields, {})),
        data_(example_records(example_.fields, kDistinctRecords, batch)) {}

  void add_plain() { add("plain", 0, {}); }

  // After the plain step.
  void add_saving(const std::string& text) {
    const bool is_share = text.find_first_not_of("0123456789.") == std::string::npos;
    if (is_share)
      add_share(text);
    else
      add_held(text);
  }

  void run(int64_t rounds) {
    for (Variant& variant : variants_) time_step(variant);  // takes the arena, fills caches
    for (Variant& variant : variants_) {
      variant.step_seconds.clear();
      variant.cpu_seconds.clear();
    }
    for (int64_t round = 0; round < rounds; ++round)
      for (size_t turn = 0; turn < variants_.size(); ++turn)
        time_step(variants_[(static_cast<size_t>(round) + turn) % variants_.size()]);
  }

  void print() const {
    std::printf("[");
    for (const Variant& variant : variants_) {
      const CompiledStep& step = *variant.pass->step().parts.large;
      std::printf(
          "%s{\"saving\": \"%s\", \"budget_bytes\": %lld, \"arena_bytes\": %lld, "
          "\"recomputed\": %lld, \"sequence_parts\": %d, \"predicted_us\": %.3f, "
          "\"step_us\": %s, \"cpu_us\": %s}",
          &variant == variants_.data() ? "" : ", ", variant.saving.c_str(),
          number(variant.budget_bytes), number(step.memory().arena_bytes),
          number(step.memory().saving.recomputed), variant.sequence_parts,
          variant.pass->step().seconds() * 1e6, microseconds(variant.step_seconds).c_str(),
          microseconds(variant.cpu_seconds).c_str());
    }
    std::printf("]\n");
  }

 private:
  struct Variant {
    std::string saving;
    int64_t budget_bytes;  // of the arena
    int sequence_parts;
    std::unique_ptr<DataPass> pass;
    std::vector<double> step_seconds = {};
    std::vector<double> cpu_seconds = {};  // of all threads
  };

  static std::shared_ptr<Network> network_of(const Model& model) {
    return {&model.network(), [model](Network*) {}};  // the model keeps it
  }

  int64_t gradient_bytes() const {
    int64_t bytes = 0;
    for (const Variable& weight : example_.model.trainable_variables())
      bytes += weight.spec().bytes();
    return bytes;
  }

  int64_t plain_arena() const {
    return variants_.front().pass->step().parts.large->memory().arena_bytes;
  }

  PassData training() const {
    return {.name = "train", .fields = fields_, .choice = {.size = batch_}, .source = data_};
  }

  void add(const std::string& text, int64_t budget, const Saving& saving) {
    auto pass = std::make_unique<DataPass>(steps_, plan_pass(steps_, training(), saving));
    variants_.push_back({text, budget, saving.sequence_parts, std::move(pass)});
  }

  void add_share(const std::string& text) {
    const int64_t gradients = gradient_bytes();
    const auto activations = static_cast<double>(plain_arena() - gradients);
    const int64_t budget = gradients + static_cast<int64_t>(std::stod(text) * activations);
    add(text, budget, {.arena_budget = budget});
  }

  // As fit would do it in a process of this size.
  void add_held(const std::string& text) {
    const int64_t bytes = parse_bytes(text);
    RunPlanner planner({.network = example_.model.network(),
                        .steps = steps_,
                        .saving = {.micro_batches = false},
                        .training = {training()}},
                       bytes);
    const MemoryPlan found = planner.plan();
    if (found.peak_bytes > bytes)
      throw DoesNotFit("the least that was found is " + format_bytes(found.peak_bytes) +
                       ", asked for " + text);
    const Saving saving = steps_.saving();
    add(text, saving.arena_budget.value_or(found.arena_bytes), saving);
  }

  static void time_step(Variant& variant) {
    variant.pass->loader().start_epoch(0);
    variant.pass->begin_batch();
    const Clock::time_point start = Clock::now();
    const std::clock_t cpu_start = std::clock();
    variant.pass->run_batch();
    variant.step_seconds.push_back(seconds_since(start));
    variant.cpu_seconds.push_back(static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC);
  }

  ExampleModel example_;
  int64_t batch_;
  ModelSteps steps_;
  RecordFields fields_;
  SourcePtr data_;
  std::vector<Variant> variants_;
};

int run_turns(const std::string& model, int64_t batch, int64_t rounds, const Words& savings) {
  Turns turns(model, batch);
  turns.add_plain();
  for (const std::string& saving : savings) turns.add_saving(saving);
  turns.run(rounds);
  turns.print();
  return 0;
}

int usage() {
  std::fprintf(stderr,
               "usage: memory_bench run MODEL BATCH [--steps N] [--memory SIZE]\n"
               "       memory_bench speed\n"
               "       memory_bench turns MODEL BATCH ROUNDS SAVING…\n");
  return 2;
}

int run_speed() {
  measure_machine_speed(memory_available());
  const MachineSpeed speed = machine_speed();
  std::printf("{\"operations_per_second\": %g, \"bytes_per_second\": %g}\n",
              speed.operations_per_second, speed.bytes_per_second);
  return 0;
}

int run(const Words& words) {
  set_thread_count(kThreads);
  if (words == Words{"speed"}) return run_speed();
  if (words.size() >= 5 && words[0] == "turns")
    return run_turns(words[1], std::stoll(words[2]), std::stoll(words[3]),
                     {words.begin() + 4, words.end()});
  if (words.size() < 3 || words.size() % 2 == 0 || words[0] != "run") return usage();
  Run asked{.model = words[1], .batch = std::stoll(words[2])};
  for (size_t i = 3; i < words.size(); i += 2) {
    if (words[i] == "--steps")
      asked.steps = std::stoll(words[i + 1]);
    else if (words[i] == "--memory")
      asked.memory = words[i + 1];
    else
      return usage();
  }
  return run_fit(asked);
}

}  // namespace
}  // namespace plimsoll

int main(int count, char** words) {
  try {
    return plimsoll::run({words + 1, words + count});
  } catch (const plimsoll::DoesNotFit& error) {
    std::fprintf(stderr, "memory_bench: %s\n", error.what());
    return plimsoll::kDoesNotFit;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "memory_bench: %s\n", error.what());
    return 1;
  }
}
