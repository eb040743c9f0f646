#include "plimsoll/report/story_json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "plimsoll/report/shown.h"
#include "plimsoll/report/thin.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostSeries = 60, kMostPoints = 20'000, kMostPointsOfSeries = 1'000;
constexpr size_t kLeastPointsOfSeries = 40;
constexpr size_t kMostRows = 96, kMostColumns = 64;

Json series_json(const std::string& name, const Points& points, size_t most) {
  Json x = Json::array(), y = Json::array();
  for (const auto& [place, value] : thin(points, most)) {
    x.push_back(place);
    y.push_back(shown_number(value));
  }
  return {{"name", shown(name, 80)}, {"x", std::move(x)}, {"y", std::move(y)}};
}

// In the order of the names, "loss" before "val_loss" and those before the rest.
std::vector<std::string> metric_names(const RunStory& story) {
  std::set<std::string> all;
  for (const EpochStory& epoch : story.epochs)
    for (const auto& [name, value] : epoch.metrics) all.insert(name);
  std::vector<std::string> names;
  for (const char* first : {"loss", "val_loss"})
    if (all.erase(first) > 0) names.push_back(first);
  names.insert(names.end(), all.begin(), all.end());
  if (names.size() > kMostSeries) names.resize(kMostSeries);
  return names;
}

template <class ValueOf>
Points by_epoch(const RunStory& story, const ValueOf& value_of) {
  Points points;
  for (size_t e = 0; e < story.epochs.size(); ++e)
    if (const std::optional<double> value = value_of(story.epochs[e]))
      points.emplace_back(static_cast<int64_t>(e) + 1, *value);
  return points;
}

std::optional<double> metric_of(const EpochStory& epoch, const std::string& name) {
  const auto found = epoch.metrics.find(name);
  return found == epoch.metrics.end() ? std::nullopt : std::optional(found->second);
}

Json steps_json(const RunStory& story) {
  const size_t wide = joined_of(story.statistics.size(), kMostColumns);
  Json steps = Json::array();
  for (size_t s = 0; s < story.statistics.size(); s += wide)
    steps.push_back(story.statistics[std::min(s + wide, story.statistics.size()) - 1].step);
  return steps;
}

Json variables_json(const RunStory& story) {
  Grid gradient(story.statistics.size()), update(story.statistics.size());
  for (size_t s = 0; s < story.statistics.size(); ++s)
    for (const VariableStatistics& it : story.statistics[s].variables) {
      if (!it.is_trained || !(it.norm > 0)) continue;
      const std::string name = it.layer + "/" + it.name;
      gradient.set(name, s, it.gradient_norm / it.norm);
      update.set(name, s, it.update_norm / it.norm);
    }
  return {{"names", gradient.names(kMostRows)},
          {"joined", joined_of(gradient.rows(), kMostRows)},
          {"gradient", gradient.cells(kMostRows, kMostColumns)},
          {"update", update.cells(kMostRows, kMostColumns)}};
}

Json layers_json(const RunStory& story) {
  struct Column {
    const char* name;
    double LayerStatistics::*field;
    Grid::Keep keep;
  };
  const Column columns[] = {
      {"least", &LayerStatistics::least, Grid::Keep::least},
      {"largest", &LayerStatistics::largest, Grid::Keep::largest},
      {"mean", &LayerStatistics::mean, Grid::Keep::largest},
      {"zero_share", &LayerStatistics::zero_share, Grid::Keep::largest},
      {"dead_unit_share", &LayerStatistics::dead_unit_share, Grid::Keep::largest},
      {"saturated_share", &LayerStatistics::saturated_share, Grid::Keep::largest}};
  Json json = Json::object();
  for (const Column& column : columns) {
    Grid grid(story.statistics.size(), column.keep);
    for (size_t s = 0; s < story.statistics.size(); ++s)
      for (const LayerStatistics& it : story.statistics[s].layers)
        grid.set(it.activation.empty() ? it.layer : it.layer + " (" + it.activation + ")", s,
                 it.*column.field);
    json["names"] = grid.names(kMostRows);
    json["joined"] = joined_of(grid.rows(), kMostRows);
    json[column.name] = grid.cells(kMostRows, kMostColumns);
  }
  return json;
}

}  // namespace

Json curves_json(const RunStory& story, size_t runs) {
  const std::vector<std::string> names = metric_names(story);
  const size_t most = std::clamp(kMostPoints / std::max<size_t>(1, runs) / (names.size() + 3),
                                 kLeastPointsOfSeries, kMostPointsOfSeries);
  Json series = Json::array();
  for (const std::string& name : names)
    series.push_back(series_json(
        name, by_epoch(story, [&](const EpochStory& it) { return metric_of(it, name); }), most));
  const auto speed = [](const EpochStory& it) {
    return it.seconds > 0 ? std::optional(static_cast<double>(it.samples) / it.seconds)
                          : std::nullopt;
  };
  const auto resident = [](const EpochStory& it) {
    return it.resident_bytes > 0 ? std::optional(static_cast<double>(it.resident_bytes))
                                 : std::nullopt;
  };
  Points sampled;
  for (const StepStatistics& it : story.statistics) sampled.emplace_back(it.step, it.loss);
  return {{"epochs", story.epochs.size()},
          {"sampled", series_json("loss", sampled, most)},
          {"thinned", story.epochs.size() > most},
          {"series", std::move(series)},
          {"speed", series_json("records per second", by_epoch(story, speed), most)},
          {"resident", series_json("resident bytes", by_epoch(story, resident), most)}};
}

Json statistics_of(const RunStory& story) {
  if (story.statistics.empty()) return nullptr;
  Points rates;
  for (const StepStatistics& it : story.statistics) rates.emplace_back(it.step, it.learning_rate);
  return {{"sampled", story.statistics.size()},
          {"steps", steps_json(story)},
          {"variables", variables_json(story)},
          {"layers", layers_json(story)},
          {"learning_rate", series_json("learning rate", rates, kMostPointsOfSeries)}};
}

}  // namespace plimsoll
