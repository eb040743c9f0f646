#include "plimsoll/nn/losses/label_smoothing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/keras/keras_object.h"
#include "plimsoll/nn/losses/loss_list.h"

namespace plimsoll {
namespace {

constexpr const char* kSmoothing = "label_smoothing";

// The settings of a class of Keras; empty for a function.
Json settings_of(const Loss& loss) {
  if (!loss.origin().settings) return Json::object();
  Fields fields;
  loss.origin().settings(fields);
  return fields.config();
}

std::vector<std::string_view> names_with_smoothing() {
  std::vector<std::string_view> names;
  for (const LossKind& kind : loss_list())
    if (takes_label_smoothing(kind.make())) names.push_back(kind.name);
  return names;
}

}  // namespace

bool takes_label_smoothing(const Loss& loss) {
  return settings_of(loss).contains(kSmoothing);
}

Loss with_label_smoothing(const Loss& loss, double share) {
  if (!takes_label_smoothing(loss))
    throw InvalidArgument(fmt::format("loss: {} has no label smoothing ({} have it)", loss.name(),
                                      fmt::join(names_with_smoothing(), ", ")));
  if (!(share >= 0 && share < 1))
    throw InvalidArgument(
        fmt::format("loss: label_smoothing must be from 0 on and below 1, found {}", share));
  Json settings = settings_of(loss);
  settings[kSmoothing] = share;
  return loss_from_config(
      keras_object("keras.losses", loss.origin().class_name, std::move(settings)));
}

}  // namespace plimsoll
