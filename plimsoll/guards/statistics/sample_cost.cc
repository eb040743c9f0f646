// What it costs to look at a step.
#include "plimsoll/engine/machine_speed.h"
#include "plimsoll/engine/predict_seconds.h"
#include "plimsoll/guards/statistics/statistics_watch.h"

namespace plimsoll {
namespace {

// Of a thread of the assumed machine.
constexpr double kSecondsOfNumber = 1.5e-9;
constexpr double kSecondsOfRow = 10e-6;  // of a layer or variable, in a log
constexpr double kSecondsOfSample = 200e-6;
constexpr int64_t kBytesOfRow = 220;

double seconds_of(const CompiledStep& step) {
  double seconds = 0;
  for (const Instruction& it : step.program().instructions)
    seconds += predict_seconds(step.program(), it, typical_speed());
  return seconds;
}

}  // namespace

SampleCost StatisticsWatch::prepare(std::span<const RunOfStep> batch) {
  SampleCost cost;
  double numbers = 0;
  std::vector<bool> is_counted;  // of each layer
  for (const RunOfStep& run : batch) {
    cost.step_seconds += static_cast<double>(run.times) * seconds_of(*run.step);
    const Program& program = run.step->program();
    const KnownStep& known = learn(program);
    is_counted.resize(layers_.size());
    for (size_t i = 0; i < known.sights.size(); ++i) {
      const int layer = known.sights[i].layer;
      if (layer < 0 || is_counted[static_cast<size_t>(layer)]) continue;
      is_counted[static_cast<size_t>(layer)] = true;
      const int output = program.instructions[i].outputs[0];
      numbers += static_cast<double>(program.spec(output).shape.elements());
    }
  }
  // Weights, gradients, and a histogram of both now and then.
  for (const WatchedVariable& variable : variables_)
    numbers += static_cast<double>(variable.statistics.elements) *
               (variable.statistics.is_trained ? 3 : 1);
  const auto rows = static_cast<int64_t>(layers_.size() + variables_.size());
  cost.sample_seconds =
      kSecondsOfSample + kSecondsOfRow * static_cast<double>(rows) + kSecondsOfNumber * numbers;
  cost.line_bytes = kBytesOfRow * rows;
  return cost;
}

}  // namespace plimsoll
