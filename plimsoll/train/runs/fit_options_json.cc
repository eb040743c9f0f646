#include "plimsoll/train/runs/fit_options_json.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

// Null for what was not given.
template <class T>
Json if_given(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json frequency_json(const ValidationFrequency& frequency) {
  return frequency.epochs.empty() ? Json(frequency.every) : Json(frequency.epochs);
}

Json class_weight_json(const ClassWeight& weights) {
  if (weights.empty()) return {};
  Json by_class = Json::object();
  for (const auto& [label, weight] : weights) by_class[std::to_string(label)] = weight;
  return by_class.dump();
}

const char* name_of(OnBadStep then) {
  switch (then) {
    case OnBadStep::stop:
      return "stop";
    case OnBadStep::skip:
      return "skip";
    case OnBadStep::rollback:
      return "rollback";
    case OnBadStep::repair:
      return "repair";
  }
  return "";
}

}  // namespace

Json fit_options_json(const FitOptions& o) {
  const SavingOptions& saving = o.saving;
  return {{"epochs", o.epochs},
          {"initial_epoch", o.initial_epoch},
          {"batch_size", if_given(o.batch_size)},
          {"steps_per_epoch", if_given(o.steps_per_epoch)},
          {"shuffle", o.shuffle},
          {"memory", o.memory.empty() ? Json() : Json(o.memory)},
          {"micro_batch", if_given(saving.micro_batch)},
          {"micro_batches", saving.micro_batches},
          {"recompute", saving.recompute},
          {"spill", saving.spill},
          {"early_updates", saving.early_updates},
          {"sequence_parts", saving.sequence_parts},
          {"batch_statistics_per_part", saving.batch_statistics_per_part},
          {"validation_split", o.validation_split > 0 ? Json(o.validation_split) : Json()},
          {"validation_batch_size", if_given(o.validation_batch_size)},
          {"validation_steps", if_given(o.validation_steps)},
          {"validation_freq", frequency_json(o.validation_freq)},
          {"class_weight", class_weight_json(o.class_weight)},
          {"on_bad_record", o.reading.bad.then == OnBadRecord::skip ? "skip" : "fail"},
          {"max_bad", o.reading.bad.most},
          {"on_bad_step", name_of(o.on_bad_step)},
          {"workers", if_given(o.reading.workers)},
          {"allow_nan", o.reading.allow_not_finite},
          {"takes_signals", o.checkpoints.takes_signals}};
}

}  // namespace plimsoll
