#include "plimsoll/nn/losses/changed_loss.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/keras/keras_object.h"
#include "plimsoll/nn/losses/loss_list.h"

namespace plimsoll {
namespace {

constexpr const char *kSmoothing = "label_smoothing", *kFromLogits = "from_logits";

// The settings of a class of Keras; empty for a function.
Json settings_of(const Loss& loss) {
  if (!loss.origin().settings) return Json::object();
  Fields fields;
  loss.origin().settings(fields);
  return fields.config();
}

bool has_setting(const Loss& loss, const char* setting) {
  return settings_of(loss).contains(setting);
}

// InvalidArgument if it lacks the setting, which is `words` for people.
Loss with_setting(const Loss& loss, const char* setting, const char* words, const Json& value) {
  if (!has_setting(loss, setting)) {
    std::vector<std::string_view> names;
    for (const LossKind& kind : loss_list())
      if (has_setting(kind.make(), setting)) names.push_back(kind.name);
    throw InvalidArgument(
        fmt::format("loss: {} has no {} ({} have it)", loss.name(), words, fmt::join(names, ", ")));
  }
  Json settings = settings_of(loss);
  settings[setting] = value;
  return loss_from_config(
      keras_object("keras.losses", loss.origin().class_name, std::move(settings)));
}

}  // namespace

bool takes_label_smoothing(const Loss& loss) {
  return has_setting(loss, kSmoothing);
}

Loss with_label_smoothing(const Loss& loss, double share) {
  if (!(share >= 0 && share < 1) && takes_label_smoothing(loss))
    throw InvalidArgument(
        fmt::format("loss: label_smoothing must be from 0 on and below 1, found {}", share));
  return with_setting(loss, kSmoothing, "label smoothing", share);
}

bool takes_from_logits(const Loss& loss) {
  return has_setting(loss, kFromLogits);
}

Loss with_from_logits(const Loss& loss, bool from_logits) {
  return with_setting(loss, kFromLogits, "from_logits", from_logits);
}

}  // namespace plimsoll
