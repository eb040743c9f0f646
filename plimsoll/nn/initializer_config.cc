// Initializers in configs.
#include <nlohmann/json.hpp>

#include "plimsoll/nn/fields.h"
#include "plimsoll/nn/initializer.h"
#include "plimsoll/nn/keras_object.h"

namespace plimsoll {
namespace {

using Distribution = Initializer::Distribution;
using Fan = Initializer::Fan;

const char* mode_name(Fan fan) {
  return fan == Fan::in ? "fan_in" : fan == Fan::out ? "fan_out" : "fan_avg";
}

const char* distribution_name(Distribution distribution) {
  return distribution == Distribution::uniform  ? "uniform"
         : distribution == Distribution::normal ? "untruncated_normal"
                                                : "truncated_normal";
}

// The settings that Keras's class has, by name.
void describe(Fields& fields, Initializer::Settings& settings) {
  if (settings.name == "zeros" || settings.name == "ones") return;
  if (settings.name == "constant") {
    fields.with("value", settings.first);
    return;
  }
  fields.with("seed", settings.seed);
  if (settings.name == "variance_scaling") {
    std::string mode = mode_name(settings.fan);
    std::string distribution = distribution_name(settings.distribution);
    fields.with("scale", settings.scale).with("mode", mode).with("distribution", distribution);
    settings = VarianceScaling({settings.scale, mode, distribution, settings.seed}).settings();
  } else if (settings.name == "orthogonal") {
    fields.with("gain", settings.first);
  } else if (settings.name == "random_uniform") {
    fields.with("minval", settings.first).with("maxval", settings.second);
  } else if (settings.fan == Fan::none) {
    fields.with("mean", settings.first).with("stddev", settings.second);
  }
  if (settings.fan != Fan::none) fields.only_null("input_axes").only_null("output_axes");
}

}  // namespace

Fields& Fields::with(const char* key, Initializer& value) {
  Initializer::Settings settings = value.settings();
  if (!reading()) {
    Fields inner;
    describe(inner, settings);
    write(key, keras_object("keras.initializers", value.class_name(), inner.config()));
    return *this;
  }
  const Json* found = find(key);
  if (found == nullptr) return *this;
  const KerasObject object = read_keras_object(*found, owner_ + ": " + key);
  settings = Initializer(object.class_name).settings();
  Fields inner(*object.config, owner_ + ": " + key);
  inner.ignored("dtype");
  describe(inner, settings);
  inner.finish();
  value = Initializer(settings);
  return *this;
}

}  // namespace plimsoll
