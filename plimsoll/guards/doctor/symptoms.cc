#include "plimsoll/guards/doctor/symptoms.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/guards/doctor/loss_facts.h"

namespace plimsoll {
namespace {

std::vector<double> class_shares(const TargetFacts& target) {
  double all = 0;
  for (const int64_t count : target.class_counts) all += static_cast<double>(count);
  std::vector<double> shares;
  for (const int64_t count : target.class_counts)
    shares.push_back(static_cast<double>(count) / all);
  return shares;
}

double entropy(double share) {
  return share <= 0 ? 0 : -share * std::log(share);
}

// The loss of the best constant answer.
std::optional<double> baseline_of(const OutputFacts& output, const TargetFacts& target) {
  switch (constant_answer(output.loss)) {
    case ConstantAnswer::entropy_of_classes: {
      const std::vector<double> shares = class_shares(target);
      double sum = 0;
      for (const double share : shares) sum += entropy(share);
      return shares.empty() ? std::nullopt : std::optional(sum);
    }
    case ConstantAnswer::entropy:
      return target.column_entropy;
    case ConstantAnswer::variance:
      return target.column_variance;
    case ConstantAnswer::absolute_deviation:
      return target.width == 1 ? std::optional(target.absolute_deviation) : std::nullopt;
    case ConstantAnswer::unknown:
      break;
  }
  return std::nullopt;
}

// The last value of the metric that counts the records whose class is predicted. Others have like
// names: binary_accuracy of a row of ten classes is 0.9 where nothing was learnt.
std::optional<double> last_accuracy(const RunStory& run, const TargetFacts& target,
                                    const OutputFacts& output) {
  if (run.epochs.empty()) return std::nullopt;
  const char* of_form = target.is_one_hot   ? "categorical_accuracy"
                        : output.units == 1 ? "binary_accuracy"
                                            : "sparse_categorical_accuracy";
  const auto& metrics = run.epochs.back().metrics;
  for (const char* name : {"accuracy", "acc", of_form})
    if (const auto found = metrics.find(name); found != metrics.end()) return found->second;
  return std::nullopt;
}

// The best of what a run has reached on its validation, as a skill; none: it has no validation.
std::optional<double> validation_skill_of(const RunStory& run, const Symptoms& of) {
  std::optional<double> best;
  for (const EpochStory& epoch : run.epochs)
    if (const auto loss = epoch.metrics.find("val_loss"); loss != epoch.metrics.end())
      if (const double skill = 1 - loss->second / *of.baseline; !best || skill > *best)
        best = skill;
  return best;
}

void add_losses(const RunStory& run, Symptoms& into) {
  for (const EpochStory& epoch : run.epochs)
    if (const auto loss = epoch.metrics.find("loss"); loss != epoch.metrics.end())
      into.losses.push_back(loss->second);
  if (!run.statistics.empty() && run.statistics.front().step == 0)
    into.first_loss = run.statistics.front().loss;
  else if (!into.losses.empty())
    into.first_loss = into.losses.front();
  into.last_loss = into.losses.empty() ? into.first_loss : into.losses.back();
  into.has_failed =
      run.not_finite.has_value() ||
      std::ranges::any_of(into.losses, [](double it) { return !std::isfinite(it); }) ||
      std::ranges::any_of(run.epochs, [](const EpochStory& it) {
        const auto loss = it.metrics.find("val_loss");
        return loss != it.metrics.end() && !std::isfinite(loss->second);
      });
}

void add_shape(Symptoms& into) {
  const std::vector<double>& losses = into.losses;
  if (into.first_loss > 0) into.fall = 1 - into.last_loss / into.first_loss;
  int rises = 0;
  for (size_t i = 1; i < losses.size(); ++i) {
    rises += losses[i] > 1.02 * losses[i - 1] ? 1 : 0;
    into.spikes += losses[i] > 2 * losses[i - 1] ? 1 : 0;
  }
  if (losses.size() > 1) into.rises = rises / static_cast<double>(losses.size() - 1);
  const double before = losses.size() < 2 ? into.first_loss : losses[(losses.size() - 1) * 2 / 3];
  if (before > 0) into.late_fall = 1 - into.last_loss / before;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// The first steps are left out: optimizers begin in their own ways.
double update_ratio_of(const RunStory& run) {
  std::vector<double> ratios;
  for (const StepStatistics& step : run.statistics)
    for (const VariableStatistics& variable : step.variables)
      if (step.step >= 2 && variable.is_trained && variable.name.ends_with("kernel") &&
          variable.norm > 0 && std::isfinite(variable.update_norm))
        ratios.push_back(variable.update_norm / variable.norm);
  return median(std::move(ratios));
}

// Simple learners say what can be reached: a run that is far below them is a bad one, and one that
// has reached as much, of data that is noisy, is not so bad.
void add_neighbours(double near, Symptoms& into) {
  const double missed = near - *into.skill;
  into.badness = std::max(into.badness, std::clamp((missed - 0.15) / 0.45, 0.0, 1.0));
  if (missed <= 0.1 * near && *into.skill > 0.03) into.badness *= 0.5;
}

void add_skill(const TrainingCase& of, Symptoms& into) {
  const bool has_target = of.data && of.data->targets.size() == 1 &&
                          of.data->targets[0].width > 0 && of.model.outputs.size() == 1;
  if (has_target) into.accuracy = last_accuracy(*of.run, of.data->targets[0], of.model.outputs[0]);
  if (into.baseline && *into.baseline > 0) {
    const double least =
        has_target && constant_answer(of.model.outputs[0].loss) == ConstantAnswer::entropy
            ? of.data->targets[0].own_entropy
            : 0;
    if (*into.baseline > least)
      into.skill = (*into.baseline - into.last_loss) / (*into.baseline - least);
    into.validation_skill = validation_skill_of(*of.run, into);
  }
  if (has_target && into.accuracy && are_classes(of.data->targets[0])) {
    const double guess = largest_class_share(of.data->targets[0]);
    const double by_accuracy = guess < 1 ? (*into.accuracy - guess) / (1 - guess) : 1;
    into.skill = std::max(into.skill.value_or(by_accuracy), by_accuracy);
  }
  const double reached = into.skill ? *into.skill : into.fall;
  into.badness = into.has_failed ? 1 : std::clamp((0.72 - reached) / 0.45, 0.0, 1.0);
  if (!into.skill || into.has_failed || !has_target) return;
  if (const auto& near = of.data->targets[0].neighbour_skill) add_neighbours(*near, into);
}

}  // namespace

double largest_class_share(const TargetFacts& target) {
  const std::vector<double> shares = class_shares(target);
  return shares.empty() ? 0 : *std::ranges::max_element(shares);
}

bool are_classes(const TargetFacts& target) {
  constexpr size_t kMostNumbers = 20;
  if (target.is_one_hot) return true;
  return target.width == 1 && target.is_whole && !target.has_gaps &&
         target.class_counts.size() >= 2 && target.class_counts.size() <= kMostNumbers;
}

bool are_numbers(const TargetFacts& target, const OutputFacts& output) {
  constexpr size_t kMostClasses = 100;
  if (!target.is_whole) return true;
  const size_t values = target.class_counts.size();
  const bool are_many = output.units == 1 && (values == 0 || values > kMostClasses);
  return target.width == 1 && (are_many || (target.least < 0 && values != 2));
}

Symptoms symptoms_of(const TrainingCase& of) {
  Symptoms symptoms;
  if (of.data && of.model.outputs.size() == 1 && of.data->targets.size() == 1)
    symptoms.baseline = baseline_of(of.model.outputs[0], of.data->targets[0]);
  if (!of.run) return symptoms;
  add_losses(*of.run, symptoms);
  if (of.run->epochs.empty() && of.run->statistics.empty()) {  // it was refused
    symptoms.badness = 1;
    return symptoms;
  }
  add_shape(symptoms);
  symptoms.update_ratio = update_ratio_of(*of.run);
  for (const EpochStory& epoch : of.run->epochs)
    symptoms.steps +=
        (epoch.samples + of.run->batch_size - 1) / std::max<int64_t>(1, of.run->batch_size);
  add_skill(of, symptoms);
  return symptoms;
}

}  // namespace plimsoll
