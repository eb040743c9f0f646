// What watching a training costs: the gate that keeps a step whose loss or gradients are not finite
// from changing weights, and the statistics of sampled steps.
//
//   guards_bench [MODEL…] [--rounds N] [--threads N] [--check] [--json FILE]
//
// The same recorded step is compiled with its gates and without, and both run in turns; the gate's
// share is the median of the ratios of neighbours, less 1. A sample's cost is that of a watched
// step, with its line for the log, less that of a plain one; over a run of N steps it is paid as
// often as steps are sampled. Times are those of the processor. Allocations are counted while
// steps run, those of oneDNN apart. With --check it fails if the gate takes more than 1% of a step,
// the samples more than 1% of a run of 100,000 steps (the first ones, a twentieth of a second in
// all, come on top and show in shorter runs), or a step allocates beside oneDNN; a step of
// microseconds (`tiny`) is only shown.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plimsoll/engine/step_graph.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/graph/pending.h"
#include "plimsoll/guards/statistics/statistics_watch.h"
#include "plimsoll/ops/update/update.h"
#include "plimsoll/record/statistics_json.h"
#include "tests/allocations/allocation_count.h"
#include "tests/support/example_models.h"

namespace plimsoll {
namespace {

struct Arguments {
  std::vector<std::string> models;
  int rounds = 60;
  int threads = 2;
  bool checks = false;
  std::string json;
};

constexpr double kMostShare = 0.01;

double processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> numbers) {
  std::ranges::nth_element(numbers, numbers.begin() + std::ssize(numbers) / 2);
  return numbers[numbers.size() / 2];
}

// A model that takes microseconds: the worst case for what costs the same in every step.
ExampleModel tiny_model() {
  Sequential model({Dense({.units = 8, .activation = "relu"}), Dense({.units = 1})});
  model.compile({.optimizer = Adam(), .loss = "mse"});
  return {model, {{DType::float32, {4}}, {DType::float32, {1}}}};
}

int64_t batch_of(const std::string& name) {
  return name == "mlp" ? 128 : 32;
}

// A training step of a model, with its gates and without them.
class Pair {
 public:
  Pair(const std::string& name, const Arguments& arguments)
      : example_(name == "tiny" ? tiny_model() : example_model(name)),
        batch_(batch_of(name)),
        rounds_(arguments.rounds) {
    StepGraph graph = record();
    gated_ = std::make_unique<CompiledStep>(graph);
    graph.gates.clear();
    plain_ = std::make_unique<CompiledStep>(graph);
    for (CompiledStep* step : {gated_.get(), plain_.get()})
      for (size_t i = 0; i < data_.size(); ++i)
        step->bind_input(static_cast<int>(i), data_[i]->data());
    gated_->run();
    repeats_ = 1;
    for (double taken = 0; taken < 0.02; taken = seconds([&] { gated_->run(); })) repeats_ *= 2;
  }

  struct Costs {
    double step_seconds = 0, gate_share = 0, sample_seconds = 0;
    testing::AllocationCount allocations = {};  // of a step, and of a watched one
    SampleCost predicted = {};
  };

  Costs measure() {
    Costs costs;
    std::vector<double> steps, ratios, samples;
    StatisticsWatch watch(example_.model.network(), example_.model.optimizer());
    const StatisticsWatch::RunOfStep run{gated_.get()};
    costs.predicted = watch.prepare({&run, 1});
    const auto sample = [&] {
      watch.begin(false);
      gated_->run_watched(watch);
      line_ = to_json(watch.end()).dump();
    };
    sample();
    for (int i = 0; i < rounds_; ++i) {
      const bool is_even = i % 2 == 0;
      const double first = seconds([&] { (is_even ? gated_ : plain_)->run(); });
      const double second = seconds([&] { (is_even ? plain_ : gated_)->run(); });
      const double gated = is_even ? first : second, plain = is_even ? second : first;
      steps.push_back(gated / static_cast<double>(repeats_));
      ratios.push_back(gated / plain - 1);
      samples.push_back(seconds(sample) / static_cast<double>(repeats_) - steps.back());
    }
    costs.step_seconds = median(steps);
    costs.gate_share = median(ratios);
    costs.sample_seconds = median(samples);
    costs.allocations = count([&] {
      gated_->run();
      watch.begin(true);
      gated_->run_watched(watch);
    });
    return costs;
  }

 private:
  StepGraph record() {
    Tensors inputs;
    for (const Spec& field : example_.fields) {
      const Spec spec{field.dtype, field.shape.with(0, batch_)};
      inputs.push_back(placeholder(spec));
      data_.push_back(std::make_shared<Storage>(spec.bytes()));
      std::fill_n(data_.back()->data(), spec.bytes(), std::byte{0});
    }
    const Tensors features(inputs.begin(), inputs.end() - 1);
    const Tensors outputs = example_.model.network()(features, {.training = true});
    const Tensor loss = example_.model.compile_options().loss.values[0](inputs.back(), outputs[0]);
    const Variables weights = example_.model.network().trainable_variables();
    Tensors sources;
    for (const Variable& weight : weights) sources.push_back(weight.value());
    gate_commit(all_finite({loss}));
    example_.model.optimizer()->apply_gradients(gradients(loss, sources), weights);
    const Tensors reported = {loss};  // a run computes it anyway
    return take_step(inputs, reported);
  }

  template <class Run>
  double seconds(const Run& run) const {
    const double before = processor_seconds();
    for (int64_t i = 0; i < repeats_; ++i) run();
    return processor_seconds() - before;
  }

  template <class Run>
  static testing::AllocationCount count(const Run& run) {
    const testing::AllocationCount before = testing::counted_allocations();
    testing::count_allocations(true);
    run();
    testing::count_allocations(false);
    const testing::AllocationCount after = testing::counted_allocations();
    return {after.own - before.own, after.own_bytes - before.own_bytes,
            after.library - before.library, after.library_largest};
  }

  ExampleModel example_;
  int64_t batch_;
  int rounds_;
  std::vector<StoragePtr> data_;
  std::unique_ptr<CompiledStep> gated_, plain_;
  int64_t repeats_ = 1;
  std::string line_;
};

// Of all steps of a run, what its samples take.
double sampled_share(const Pair::Costs& costs, int64_t steps) {
  const SampledSteps sampled(costs.predicted);
  int64_t samples = 0;
  for (int64_t step = 0; step < steps; ++step) samples += sampled.includes(step);
  return static_cast<double>(samples) * costs.sample_seconds /
         (static_cast<double>(steps) * costs.step_seconds);
}

// Says on standard error what is above the limits. True: nothing is.
bool keeps_limits(const std::string& name, const Pair::Costs& costs, double sampled) {
  bool keeps = true;
  const auto say = [&](const std::string& what) {
    fmt::print(stderr, "guards_bench: {}: {}\n", name, what);
    keeps = false;
  };
  if (name == "tiny") return true;
  if (costs.gate_share > kMostShare)
    say(fmt::format("the gate takes {:.2f}% of a step, expected at most {:.0f}%",
                    100 * costs.gate_share, 100 * kMostShare));
  if (sampled > kMostShare)
    say(fmt::format("samples take {:.2f}% of 100,000 steps, expected at most {:.0f}%",
                    100 * sampled, 100 * kMostShare));
  if (costs.allocations.own > 0)
    say(fmt::format("steps make {} allocations beside oneDNN's, expected none",
                    costs.allocations.own));
  return keeps;
}

Arguments read(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool has_value = i + 1 < argc;
    if (word == "--rounds" && has_value)
      arguments.rounds = std::max(1, std::atoi(argv[++i]));
    else if (word == "--threads" && has_value)
      arguments.threads = std::max(1, std::atoi(argv[++i]));
    else if (word == "--check")
      arguments.checks = true;
    else if (word == "--json" && has_value)
      arguments.json = argv[++i];
    else
      arguments.models.push_back(word);
  }
  if (arguments.models.empty())
    arguments.models = {"tiny", "functional", "demo", "mlp", "lstm_32", "cnn"};
  return arguments;
}

int run(const Arguments& arguments) {
  set_thread_count(arguments.threads);
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  bool keeps = true;
  fmt::print("{:<12} {:>11} {:>8} {:>11} {:>9} {:>9} {:>9} {:>11} {:>8}\n", "model", "step", "gate",
             "a sample", "of 1,000", "10,000", "100,000", "allocations", "oneDNN");
  for (const std::string& name : arguments.models) {
    const Pair::Costs costs = Pair(name, arguments).measure();
    const double shares[] = {sampled_share(costs, 1000), sampled_share(costs, 10000),
                             sampled_share(costs, 100000)};
    fmt::print(
        "{:<12} {:>8.1f} us {:>7.2f}% {:>8.1f} us {:>8.2f}% {:>8.2f}% {:>8.2f}% {:>11} {:>8}\n",
        name, costs.step_seconds * 1e6, costs.gate_share * 100, costs.sample_seconds * 1e6,
        shares[0] * 100, shares[1] * 100, shares[2] * 100, costs.allocations.own,
        costs.allocations.library);
    if (arguments.checks && !keeps_limits(name, costs, shares[2])) keeps = false;
    json[name] = {{"step_seconds", costs.step_seconds},
                  {"gate_share", costs.gate_share},
                  {"sample_seconds", costs.sample_seconds},
                  {"sampled_share_of_1000", shares[0]},
                  {"sampled_share_of_10000", shares[1]},
                  {"sampled_share_of_100000", shares[2]},
                  {"allocations", costs.allocations.own},
                  {"library_allocations", costs.allocations.library}};
  }
  if (!arguments.json.empty()) std::ofstream(arguments.json) << json.dump(2) << "\n";
  return keeps ? 0 : 1;
}

}  // namespace
}  // namespace plimsoll

int main(int argc, char** argv) {
  try {
    return plimsoll::run(plimsoll::read(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "guards_bench: %s\n", error.what());
    return 3;
  }
}
