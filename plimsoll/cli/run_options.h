// The options of a run, as run.json has them: what a run that goes on is compared by.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "plimsoll/cli/train_arguments.h"

namespace plimsoll::cli {

nlohmann::ordered_json options_json(const TrainArguments& arguments);

}  // namespace plimsoll::cli
