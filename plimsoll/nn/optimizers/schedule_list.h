// Every kind of learning rate schedule, once.
#pragma once

#include <span>

#include "plimsoll/nn/keras/json.h"
#include "plimsoll/nn/optimizers/schedule.h"

namespace plimsoll {

struct ScheduleKind {
  std::string_view class_name;  // Keras's: "CosineDecay"
  Schedule (*from_config)(Fields&);
};

std::span<const ScheduleKind> schedule_list();

// As Keras writes it: {"module": "keras.optimizers.schedules", …}.
Json config_of(const Schedule& schedule);
// `where` begins errors. InvalidArgument lists the known names.
Schedule schedule_from_config(const Json& json, const std::string& where);

}  // namespace plimsoll
