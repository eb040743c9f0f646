#include "plimsoll/guards/doctor/rule.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/base/nearest_name.h"

namespace plimsoll {

Limits::Limits(const std::map<std::string, double>& changed) {
  std::vector<std::string> names;
  for (const Rule& rule : rules())
    for (const Threshold& threshold : rule.thresholds) {
      values_.emplace(threshold.name, threshold.value);
      names.emplace_back(threshold.name);
    }
  for (const auto& [name, value] : changed) {
    const auto found = values_.find(name);
    if (found == values_.end())
      throw InvalidArgument(
          fmt::format("doctor: there is no threshold '{}'{}", name, did_you_mean(name, names)));
    found->second = value;
  }
}

double Limits::operator()(std::string_view name) const {
  return values_.find(name)->second;
}

const OutputFacts* Patient::output() const {
  return of.model.outputs.size() == 1 ? &of.model.outputs[0] : nullptr;
}

const TargetFacts* Patient::target() const {
  const bool has_one = of.data && of.data->targets.size() == 1 && of.data->targets[0].width > 0;
  return has_one ? &of.data->targets[0] : nullptr;
}

bool Patient::is_last(const LayerFacts& layer) const {
  return std::ranges::find(of.model.outputs, layer.name, &OutputFacts::product_layer) !=
         of.model.outputs.end();
}

double Patient::unless_learnt(double strength, double rest) const {
  return of.run ? strength * (rest + (1 - rest) * symptoms.badness) : strength;
}

bool Patient::has_just_begun() const {
  return of.run && !symptoms.has_failed &&
         static_cast<double>(symptoms.steps) < limits("too_few_epochs.steps");
}

std::string short_number(double value) {
  return fmt::format("{:.3g}", value);
}

}  // namespace plimsoll
