#include "plimsoll/cli/run_options.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace plimsoll::cli {
namespace {

using Json = nlohmann::ordered_json;

// Null for what was not given.
template <class T>
Json given(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json given(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

// The metric that is named, or whether the usual one is taken.
Json best_json(const TrainArguments& a) {
  const std::string metric = a.save_best.value_or("");
  return metric.empty() ? Json(!a.no_save_best) : Json(metric);
}

}  // namespace

Json options_json(const TrainArguments& a) {
  return {{"epochs", a.epochs},
          {"batch_size", a.batch_size},
          {"memory", given(a.saving.memory)},
          {"micro_batch", given(a.saving.saving.micro_batch)},
          {"micro_batches", a.saving.saving.micro_batches},
          {"recompute", a.saving.saving.recompute},
          {"spill", a.saving.saving.spill},
          {"early_updates", a.saving.saving.early_updates},
          {"sequence_parts", a.saving.saving.sequence_parts},
          {"batch_statistics_per_part", a.saving.saving.batch_statistics_per_part},
          {"validation", given(a.validation)},
          {"validation_split", given(a.validation_split)},
          {"split_by", a.validation_split ? Json(a.split_by) : Json()},
          {"optimizer", given(a.model.optimizer)},
          {"learning_rate", given(a.model.learning_rate)},
          {"weight_decay", given(a.model.changes.weight_decay)},
          {"clipnorm", given(a.model.changes.clipnorm)},
          {"clipvalue", given(a.model.changes.clipvalue)},
          {"global_clipnorm", given(a.model.changes.global_clipnorm)},
          {"adaptive_clip", given(a.model.changes.adaptive_clip)},
          {"clip_percentile", given(a.model.changes.clip_percentile)},
          {"accumulate", given(a.model.changes.gradient_accumulation_steps)},
          {"label_smoothing", given(a.model.label_smoothing)},
          {"schedule", given(a.learning.schedule)},
          {"early_stopping", given(a.learning.early_stopping)},
          {"patience", given(a.learning.patience)},
          {"min_delta", a.learning.min_delta},
          {"mode", given(a.learning.mode)},
          {"class_weight", given(a.learning.class_weight)},
          {"loss", given(a.model.loss)},
          {"from_logits", given(a.model.from_logits)},
          {"metrics", given(a.model.metrics)},
          {"freeze", a.model.frozen},
          {"target", given(a.data.target)},
          {"ignore", given(a.data.ignored)},
          {"missing", given(a.data.missing)},
          {"window", given(a.data.window)},
          {"horizon", given(a.data.horizon)},
          {"stride", given(a.data.stride)},
          {"encode", given(a.data.encode)},
          {"header", a.data.header || a.data.no_header ? Json(a.data.header) : Json()},
          {"image_size", given(a.data.image_size)},
          {"classes", given(a.data.classes)},
          {"features", given(a.data.features)},
          {"interpolation", a.data.interpolation},
          {"crop_to_aspect_ratio", a.data.crop},
          {"pad_to_aspect_ratio", a.data.pad},
          {"fast_decode", a.data.fast_decode},
          {"augment", given(a.augmentation)},
          {"on_bad_record", a.reading.on_bad},
          {"max_bad", a.reading.max_bad},
          {"on_bad_step", a.on_bad_step},
          {"repair_with", a.reading.repair_with},
          {"workers", given(a.reading.workers)},
          {"allow_nan", a.reading.allow_nan},
          {"save_best", best_json(a)},
          {"statistics", !a.no_statistics},
          {"doctor", !a.no_doctor},
          {"normalise", a.normalise},
          {"tensorboard", given(a.tensorboard)},
          {"profile", a.profiled_steps},
          {"shuffle", !a.no_shuffle}};
}

}  // namespace plimsoll::cli
