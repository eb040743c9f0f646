// What the losses' own files share.
#pragma once

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/losses/loss.h"

namespace plimsoll {

// A loss that is described by options: describe(Fields&, Options&), found beside them, writes its
// config and reads it.
class LossOf : public Loss {
 public:
  template <class Options>
  LossOf(std::string_view class_name, std::string_view default_name, Options options,
         LossFunction function, LossFunction mask = {})
      : LossOf(class_name, named(std::move(options), default_name), function, mask) {}

 private:
  template <class Options>
  LossOf(std::string_view class_name, const Options& options, const LossFunction& function,
         const LossFunction& mask)
      : Loss(Origin{.class_name = class_name, .settings = settings_of(options)}, options.name,
             function, plimsoll::reduction(options.reduction), mask) {}

  template <class Options>
  static Options named(Options options, std::string_view default_name) {
    if (options.name.empty()) options.name = default_name;
    return options;
  }
  template <class Options>
  static std::function<void(Fields&)> settings_of(const Options& options) {
    return [options](Fields& fields) {
      Options copy = options;
      describe(fields, copy);
    };
  }
};

// The keys that every loss has, which come before its own.
template <class Options>
Fields& describe_loss(Fields& fields, Options& options) {
  fields.with("name", options.name);
  with_reduction(fields, options.reduction);
  return fields.ignored("dtype").ignored("fn");
}

// "none" is null in a config; "auto" of old files is sum_over_batch_size.
void with_reduction(Fields& fields, std::string& reduction);

}  // namespace plimsoll
