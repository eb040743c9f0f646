#include "plimsoll/nn/optimizers/changed_optimizer.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/optimizers/optimizer_list.h"
#include "plimsoll/nn/optimizers/schedule_list.h"

namespace plimsoll {
namespace {

template <class T>
void replace(Json& config, const char* key, const std::optional<T>& value) {
  if (value) config[key] = *value;
}

void replace_clipping(Json& config, const OptimizerChanges& changes) {
  if (!changes.clips()) return;
  for (const char* key :
       {"clipnorm", "clipvalue", "global_clipnorm", "adaptive_clip", "clip_percentile"})
    config[key] = nullptr;
  replace(config, "clipnorm", changes.clipnorm);
  replace(config, "clipvalue", changes.clipvalue);
  replace(config, "global_clipnorm", changes.global_clipnorm);
  replace(config, "adaptive_clip", changes.adaptive_clip);
  replace(config, "clip_percentile", changes.clip_percentile);
}

// The period as a setting: none for 1.
std::optional<int64_t> period(const OptimizerChanges& changes) {
  const auto steps = changes.gradient_accumulation_steps;
  return steps == 1 ? std::nullopt : steps;
}

bool changes_accumulation(const OptimizerBody& optimizer, const OptimizerChanges& changes) {
  return changes.gradient_accumulation_steps &&
         period(changes) != optimizer.settings().gradient_accumulation_steps;
}

void refuse_late(const OptimizerBody& optimizer, const char* what) {
  const int64_t steps = optimizer.steps_taken();
  if (steps == 0) return;
  throw InvalidArgument(
      fmt::format("{}: has taken {} steps already, and {} counts them from the first; begin with a "
                  "new optimizer",
                  optimizer.name(), steps, what));
}

}  // namespace

bool OptimizerChanges::clips() const {
  return clipnorm || clipvalue || global_clipnorm || adaptive_clip || clip_percentile;
}

bool OptimizerChanges::empty() const {
  return !learning_rate && !weight_decay && !clips() && !gradient_accumulation_steps;
}

Optimizer changed(const Optimizer& optimizer, const OptimizerChanges& changes) {
  const bool is_other_pace = changes_accumulation(*optimizer, changes);
  if (changes.learning_rate && changes.learning_rate->is_schedule())
    refuse_late(*optimizer, "a schedule");
  if (is_other_pace) refuse_late(*optimizer, "gradient accumulation");
  Json object = whole_config_of(optimizer);
  Json& config = object["config"];
  if (changes.learning_rate) {
    const LearningRate& rate = *changes.learning_rate;
    config["learning_rate"] = rate.is_schedule() ? config_of(rate.schedule()) : Json(rate.number());
  }
  replace(config, "weight_decay", changes.weight_decay);
  replace_clipping(config, changes);
  if (is_other_pace)
    config["gradient_accumulation_steps"] = period(changes) ? Json(*period(changes)) : Json();
  Optimizer result = optimizer_from_config(object);
  if (!is_other_pace) result->go_on_from(*optimizer);
  return result;
}

}  // namespace plimsoll
