#include "plimsoll/train/callbacks/story_state.h"

#include <fmt/format.h>

#include <array>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

constexpr std::array kLayerNumbers = {
    &LayerStatistics::mean,           &LayerStatistics::deviation,
    &LayerStatistics::least,          &LayerStatistics::largest,
    &LayerStatistics::zero_share,     &LayerStatistics::saturated_share,
    &LayerStatistics::dead_unit_share};
constexpr std::array kVariableNumbers = {
    &VariableStatistics::norm, &VariableStatistics::gradient_norm, &VariableStatistics::update_norm,
    &VariableStatistics::gradient_zero_share};
constexpr std::array kEpochNumbers = {&EpochStory::seconds, &EpochStory::step_seconds,
                                      &EpochStory::slowest_step_seconds,
                                      &EpochStory::core_wait_seconds};

template <class Row, class Members>
std::vector<double> numbers_of(const std::vector<Row>& rows, const Members& members) {
  std::vector<double> numbers;
  for (const Row& row : rows)
    for (const auto member : members) numbers.push_back(row.*member);
  return numbers;
}

void expect(const StateReader& from, bool is_right) {
  if (!is_right) throw CorruptFile(from.path() + ": it has another story of the run");
}

template <class Row, class Members>
void set_numbers(const StateReader& from, const char* name, const Members& members,
                 std::vector<Row>& rows) {
  const std::vector<double> numbers = from.reals(name);
  expect(from, numbers.size() == rows.size() * members.size());
  size_t at = 0;
  for (Row& row : rows)
    for (const auto member : members) row.*member = numbers[at++];
}

void save_epochs(StateWriter to, const std::vector<EpochStory>& epochs) {
  std::vector<int64_t> counts;
  std::vector<std::string> names;
  std::vector<double> metrics;
  for (const EpochStory& epoch : epochs) {
    for (const int64_t count :
         {epoch.samples, epoch.resident_bytes, static_cast<int64_t>(epoch.metrics.size())})
      counts.push_back(count);
    for (const auto& [name, value] : epoch.metrics) {
      names.push_back(name);
      metrics.push_back(value);
    }
  }
  to.numbers("counts", counts);
  to.texts("names", names);
  to.reals("metrics", metrics);
  to.reals("times", numbers_of(epochs, kEpochNumbers));
}

void load_epochs(const StateReader& from, std::vector<EpochStory>& epochs) {
  const std::vector<int64_t> counts = from.numbers("counts");
  const std::vector<std::string> names = from.texts("names");
  const std::vector<double> metrics = from.reals("metrics");
  expect(from, counts.size() % 3 == 0 && names.size() == metrics.size());
  size_t at = 0;
  for (size_t i = 0; i < counts.size(); i += 3) {
    EpochStory& epoch = epochs.emplace_back();
    epoch.samples = counts[i];
    epoch.resident_bytes = counts[i + 1];
    for (int64_t k = 0; k < counts[i + 2]; ++k, ++at) {
      expect(from, at < names.size());
      epoch.metrics[names[at]] = metrics[at];
    }
  }
  set_numbers(from, "times", kEpochNumbers, epochs);
}

void save_statistics(StateWriter to, const StepStatistics& statistics) {
  std::vector<std::string> layers, variables;
  std::vector<int64_t> counts = {statistics.step, statistics.epoch}, variable_counts;
  for (const LayerStatistics& layer : statistics.layers) {
    layers.insert(layers.end(), {layer.layer, layer.activation});
    counts.push_back(layer.not_finite);
  }
  for (const VariableStatistics& variable : statistics.variables) {
    variables.insert(variables.end(), {variable.layer, variable.name});
    variable_counts.insert(variable_counts.end(),
                           {variable.elements, variable.is_trained, variable.not_finite});
  }
  to.numbers("counts", counts);
  to.reals("step", std::array{statistics.loss, statistics.learning_rate});
  to.texts("layers", layers);
  to.reals("layer_numbers", numbers_of(statistics.layers, kLayerNumbers));
  to.texts("variables", variables);
  to.numbers("variable_counts", variable_counts);
  to.reals("variable_numbers", numbers_of(statistics.variables, kVariableNumbers));
}

StepStatistics load_statistics(const StateReader& from) {
  const std::vector<int64_t> counts = from.numbers("counts"),
                             variable_counts = from.numbers("variable_counts");
  const std::vector<std::string> layers = from.texts("layers"), variables = from.texts("variables");
  const std::vector<double> step = from.reals("step");
  expect(from, step.size() == 2 && layers.size() % 2 == 0 && variables.size() % 2 == 0 &&
                   counts.size() == 2 + layers.size() / 2 &&
                   variable_counts.size() == variables.size() / 2 * 3);
  StepStatistics statistics{.step = counts[0], .epoch = counts[1]};
  statistics.loss = step[0];
  statistics.learning_rate = step[1];
  for (size_t i = 0; i < layers.size() / 2; ++i) {
    statistics.layers.push_back({.layer = layers[2 * i], .activation = layers[2 * i + 1]});
    statistics.layers.back().not_finite = counts[2 + i];
  }
  for (size_t i = 0; i < variables.size() / 2; ++i) {
    statistics.variables.push_back({.layer = variables[2 * i],
                                    .name = variables[2 * i + 1],
                                    .elements = variable_counts[3 * i],
                                    .is_trained = variable_counts[3 * i + 1] != 0});
    statistics.variables.back().not_finite = variable_counts[3 * i + 2];
  }
  set_numbers(from, "layer_numbers", kLayerNumbers, statistics.layers);
  set_numbers(from, "variable_numbers", kVariableNumbers, statistics.variables);
  return statistics;
}

}  // namespace

void save_story(StateWriter& to, const RunStory& story) {
  to.numbers("counts", std::array{std::ssize(story.statistics), story.batch_size});
  to.real("seconds", story.seconds);
  save_epochs(to.within("epochs"), story.epochs);
  for (size_t i = 0; i < story.statistics.size(); ++i)
    save_statistics(to.within(fmt::format("statistics-{}", i)), story.statistics[i]);
}

void load_story(const StateReader& from, RunStory& into) {
  const std::vector<int64_t> counts = from.numbers("counts");
  expect(from, counts.size() == 2);
  into.batch_size = counts[1];
  into.seconds = from.real("seconds");
  into.epochs.clear();
  load_epochs(from.within("epochs"), into.epochs);
  into.statistics.clear();
  for (int64_t i = 0; i < counts[0]; ++i)
    into.statistics.push_back(load_statistics(from.within(fmt::format("statistics-{}", i))));
}

}  // namespace plimsoll
