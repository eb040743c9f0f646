// Regularizers in configs.
#include <nlohmann/json.hpp>

#include "plimsoll/nn/fields.h"
#include "plimsoll/nn/keras_object.h"
#include "plimsoll/nn/regularizer.h"

namespace plimsoll {
namespace {

void describe(Fields& fields, std::string_view class_name, double& l1, double& l2) {
  if (class_name != "L2" && class_name != "l2") fields.with("l1", l1);
  if (class_name != "L1" && class_name != "l1") fields.with("l2", l2);
}

}  // namespace

Fields& Fields::with(const char* key, Regularizer& value) {
  double l1 = value.l1(), l2 = value.l2();
  if (!reading()) {
    const char* class_name = l1 > 0 && l2 > 0 ? "L1L2" : l1 > 0 ? "L1" : "L2";
    Fields inner;
    describe(inner, class_name, l1, l2);
    write(key, value ? keras_object("keras.regularizers", class_name, inner.config()) : Json());
    return *this;
  }
  const Json* found = find(key);
  if (found == nullptr) return *this;
  const KerasObject object = read_keras_object(*found, owner_ + ": " + key);
  const Regularizer named(object.class_name);
  l1 = named.l1();
  l2 = named.l2();
  Fields inner(*object.config, owner_ + ": " + key);
  describe(inner, object.class_name, l1, l2);
  inner.finish();
  value = Regularizer(l1, l2);
  return *this;
}

}  // namespace plimsoll
