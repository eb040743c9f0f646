#include "plimsoll/nn/optimizers/schedule_list.h"

#include <array>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/base/nearest_name.h"
#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/keras/keras_object.h"
#include "plimsoll/nn/optimizers/cosine_decay.h"
#include "plimsoll/nn/optimizers/decay.h"

namespace plimsoll {
namespace {

template <class Kind, class Options>
Schedule from_config(Fields& fields) {
  Options options;
  describe(fields, options);
  fields.finish();
  return Kind(options);
}

constexpr std::array<ScheduleKind, 6> kSchedules = {{
    {"ExponentialDecay", from_config<ExponentialDecay, ExponentialDecayOptions>},
    {"PiecewiseConstantDecay", from_config<PiecewiseConstantDecay, PiecewiseConstantDecayOptions>},
    {"PolynomialDecay", from_config<PolynomialDecay, PolynomialDecayOptions>},
    {"InverseTimeDecay", from_config<InverseTimeDecay, InverseTimeDecayOptions>},
    {"CosineDecay", from_config<CosineDecay, CosineDecayOptions>},
    {"CosineDecayRestarts", from_config<CosineDecayRestarts, CosineDecayRestartsOptions>},
}};

}  // namespace

std::span<const ScheduleKind> schedule_list() {
  return kSchedules;
}

Json config_of(const Schedule& schedule) {
  Fields fields;
  schedule->config_fields(fields);
  return keras_object("keras.optimizers.schedules", schedule->class_name(), fields.config());
}

Schedule schedule_from_config(const Json& json, const std::string& where) {
  const KerasObject object = read_keras_object(json, where);
  std::vector<std::string> known;
  for (const ScheduleKind& kind : kSchedules) {
    known.emplace_back(kind.class_name);
    if (object.class_name != kind.class_name) continue;
    Fields fields(*object.config, where);
    return kind.from_config(fields);
  }
  throw InvalidArgument(not_known(where + ": the schedule", object.class_name, known));
}

Fields& Fields::with(const char* key, LearningRate& value) {
  if (!reading()) {
    write(key, value.is_schedule() ? config_of(value.schedule()) : Json(value.number()));
    return *this;
  }
  const Json* found = find(key);
  if (found == nullptr) return *this;
  if (found->is_number())
    value = LearningRate(found->get<double>());
  else
    value = schedule_from_config(*found, owner_ + ": " + key);
  return *this;
}

}  // namespace plimsoll
