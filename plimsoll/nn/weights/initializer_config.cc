// Initializers in configs.
#include <nlohmann/json.hpp>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/keras/keras_object.h"
#include "plimsoll/nn/weights/initializer.h"

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

// A number; if Keras wrote a generator, the seed of that generator.
void with_seed(Fields& fields, std::optional<int64_t>& seed) {
  const Json* found = fields.find("seed");
  if (found == nullptr || !found->is_object()) {
    fields.with("seed", seed);
    return;
  }
  const KerasObject generator = read_keras_object(*found, "initializer: seed");
  Fields inner(*generator.config, "initializer: seed");
  inner.ignored("name").with("seed", seed);
  inner.finish();
}

// An empty list of axes is written as null.
void with_axes(Fields& fields, const char* key, std::vector<int>& axes) {
  if (fields.reading() || !axes.empty())
    fields.with(key, axes);
  else
    fields.write(key, nullptr);
}

// The settings that Keras's class has, by name.
void describe(Fields& fields, Initializer::Settings& settings) {
  if (settings.name == "zeros" || settings.name == "ones") return;
  if (settings.name == "constant") {
    fields.with("value", settings.first);
    return;
  }
  if (settings.name == "identity") {  // whose gain Keras forgets
    if (fields.reading() || settings.first != 1) fields.with("gain", settings.first);
    return;
  }
  with_seed(fields, settings.seed);
  if (settings.name == "variance_scaling") {
    std::string mode = mode_name(settings.fan);
    std::string distribution = distribution_name(settings.distribution);
    fields.with("scale", settings.scale).with("mode", mode).with("distribution", distribution);
    settings = VarianceScaling({.scale = settings.scale,
                                .mode = mode,
                                .distribution = distribution,
                                .seed = settings.seed,
                                .input_axes = settings.input_axes,
                                .output_axes = settings.output_axes})
                   .settings();
  } else if (settings.name == "orthogonal") {
    fields.with("gain", settings.first);
  } else if (settings.name == "random_uniform") {
    fields.with("minval", settings.first).with("maxval", settings.second);
  } else if (settings.fan == Fan::none) {
    fields.with("mean", settings.first).with("stddev", settings.second);
  }
  if (settings.fan == Fan::none) return;
  with_axes(fields, "input_axes", settings.input_axes);
  with_axes(fields, "output_axes", settings.output_axes);
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
