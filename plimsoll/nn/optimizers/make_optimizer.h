// What the optimizers' own files share.
#pragma once

#include <memory>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/optimizers/optimizer.h"

namespace plimsoll {

// The options that every optimizer has.
template <class Options>
OptimizerSettings settings_of(const Options& options) {
  return {.learning_rate = options.learning_rate,
          .weight_decay = options.weight_decay,
          .clipnorm = options.clipnorm,
          .clipvalue = options.clipvalue,
          .global_clipnorm = options.global_clipnorm,
          .adaptive_clip = options.adaptive_clip,
          .clip_percentile = options.clip_percentile,
          .use_ema = options.use_ema,
          .ema_momentum = options.ema_momentum,
          .ema_overwrite_frequency = options.ema_overwrite_frequency,
          .loss_scale_factor = options.loss_scale_factor,
          .gradient_accumulation_steps = options.gradient_accumulation_steps,
          .name = options.name};
}

// The same as Keras's keys, which come before an optimizer's own. Two settings that Keras does not
// know are read but never written: Keras refuses a config that has them.
template <class Options>
Fields& describe_settings(Fields& fields, Options& options) {
  if (fields.reading())
    fields.with("adaptive_clip", options.adaptive_clip)
        .with("clip_percentile", options.clip_percentile);
  return fields.with("name", options.name)
      .with("learning_rate", options.learning_rate)
      .with("weight_decay", options.weight_decay)
      .with("clipnorm", options.clipnorm)
      .with("global_clipnorm", options.global_clipnorm)
      .with("clipvalue", options.clipvalue)
      .with("use_ema", options.use_ema)
      .with("ema_momentum", options.ema_momentum)
      .with("ema_overwrite_frequency", options.ema_overwrite_frequency)
      .with("loss_scale_factor", options.loss_scale_factor)
      .with("gradient_accumulation_steps", options.gradient_accumulation_steps);
}

// A body that is described by options, as LayerOf.
template <class Options>
class OptimizerOf : public OptimizerBody {
 public:
  OptimizerOf(std::string_view class_name, const Options& options)
      : OptimizerBody(class_name, settings_of(options)),
        options_(options),
        class_name_(class_name) {}
  std::string_view class_name() const override { return class_name_; }
  void config_fields(Fields& fields) const override {
    Options copy = options_;
    copy.name = name();
    copy.learning_rate = learning_rate_setting();
    describe(fields, copy);
  }

 protected:
  Options options_;

 private:
  std::string_view class_name_;
};

}  // namespace plimsoll
