#include "plimsoll/guards/doctor/case_of_output.h"

#include <algorithm>
#include <map>
#include <string>

namespace plimsoll {
namespace {

using MetricsByName = std::map<std::string, double>;

// "kind_loss" and "val_kind_loss" are "loss" and "val_loss" of the output 'kind'. The loss of the
// model is that of its only trained output.
MetricsByName own_metrics(const MetricsByName& all, const std::string& output, bool is_only) {
  const std::string lead = output + "_", validation = "val_";
  MetricsByName own;
  for (const auto& [name, value] : all) {
    const std::string prefix = name.starts_with(validation) ? validation : "";
    const std::string rest = name.substr(prefix.size());
    if (rest.starts_with(lead))
      own[prefix + rest.substr(lead.size())] = value;
    else if (is_only && rest == "loss")
      own[name] = value;
  }
  return own;
}

RunStory own_story(const RunStory& of, const std::string& output, bool is_only) {
  RunStory own{.epochs = of.epochs, .not_finite = of.not_finite, .status = of.status};
  own.batch_size = of.batch_size;
  own.planned_epochs = of.planned_epochs;
  own.is_shuffled = of.is_shuffled;
  own.has_class_weights = of.has_class_weights;
  for (EpochStory& epoch : own.epochs) epoch.metrics = own_metrics(epoch.metrics, output, is_only);
  return own;
}

}  // namespace

TrainingCase case_of_output(const TrainingCase& of, size_t output) {
  const OutputFacts& facts = of.model.outputs[output];
  const auto trained = std::ranges::count_if(
      of.model.outputs, [](const OutputFacts& it) { return !it.loss.empty(); });
  TrainingCase one{.model = of.model, .data = of.data};
  one.model.outputs = {facts};
  if (one.data) {
    one.data->targets.clear();
    if (output < of.data->targets.size()) one.data->targets = {of.data->targets[output]};
  }
  if (of.run) one.run = own_story(*of.run, facts.name, trained == 1);
  return one;
}

Symptoms symptoms_of_output(const TrainingCase& one, const Symptoms& whole) {
  const bool is_reported = !one.run || std::ranges::all_of(one.run->epochs, [](const auto& epoch) {
    return epoch.metrics.contains("loss");
  });
  return is_reported ? symptoms_of(one) : whole;
}

}  // namespace plimsoll
