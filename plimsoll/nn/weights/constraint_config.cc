// Constraints in configs.
#include <cmath>
#include <nlohmann/json.hpp>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/keras/keras_object.h"
#include "plimsoll/nn/weights/constraint.h"

namespace plimsoll {
namespace {

// One axis is a number.
void with_axis(Fields& fields, std::vector<int>& axis) {
  if (!fields.reading() && axis.size() == 1)
    fields.with("axis", axis[0]);
  else
    fields.with("axis", axis);
}

// An integer, such as Keras's default of 2, is written as one.
void with_largest(Fields& fields, double& largest) {
  auto whole = static_cast<int64_t>(largest);
  if (!fields.reading() && static_cast<double>(whole) == largest)
    fields.with("max_value", whole);
  else
    fields.with("max_value", largest);
}

void describe(Fields& fields, Constraint::Settings& settings) {
  if (settings.kind == Constraint::Kind::non_neg) return;
  if (settings.kind == Constraint::Kind::max_norm) with_largest(fields, settings.max_value);
  if (settings.kind == Constraint::Kind::min_max_norm)
    fields.with("min_value", settings.min_value)
        .with("max_value", settings.max_value)
        .with("rate", settings.rate);
  with_axis(fields, settings.axis);
}

}  // namespace

Fields& Fields::with(const char* key, Constraint& value) {
  Constraint::Settings settings = value.settings();
  if (!reading()) {
    Fields inner;
    if (value) describe(inner, settings);
    write(key,
          value ? keras_object("keras.constraints", value.class_name(), inner.config()) : Json());
    return *this;
  }
  const Json* found = find(key);
  if (found == nullptr) return *this;
  const KerasObject object = read_keras_object(*found, owner_ + ": " + key);
  settings = Constraint(object.class_name).settings();
  Fields inner(*object.config, owner_ + ": " + key);
  describe(inner, settings);
  inner.finish();
  value = Constraint(settings);
  return *this;
}

}  // namespace plimsoll
