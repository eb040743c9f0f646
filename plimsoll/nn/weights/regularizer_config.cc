// Regularizers in configs.
#include <nlohmann/json.hpp>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/keras/keras_object.h"
#include "plimsoll/nn/weights/regularizer.h"

namespace plimsoll {
namespace {

void describe(Fields& fields, Regularizer::Settings& settings) {
  if (settings.kind == Regularizer::Kind::l1 || settings.kind == Regularizer::Kind::l1_l2)
    fields.with("l1", settings.l1);
  if (settings.kind == Regularizer::Kind::l2 || settings.kind == Regularizer::Kind::l1_l2)
    fields.with("l2", settings.l2);
  if (settings.kind == Regularizer::Kind::orthogonal)
    fields.with("factor", settings.factor).with("mode", settings.mode);
}

}  // namespace

Fields& Fields::with(const char* key, Regularizer& value) {
  Regularizer::Settings settings = value.settings();
  if (!reading()) {
    Fields inner;
    describe(inner, settings);
    const bool is_none = settings.kind == Regularizer::Kind::none;
    write(key, is_none ? Json()
                       : keras_object("keras.regularizers", value.class_name(), inner.config()));
    return *this;
  }
  const Json* found = find(key);
  if (found == nullptr) return *this;
  const KerasObject object = read_keras_object(*found, owner_ + ": " + key);
  settings = Regularizer(object.class_name).settings();
  Fields inner(*object.config, owner_ + ": " + key);
  describe(inner, settings);
  inner.finish();
  value = Regularizer(settings);
  return *this;
}

}  // namespace plimsoll
