// The options of fit, by the names that run.json has for those of `plimsoll train`.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "plimsoll/train/fit_options.h"

namespace plimsoll {

nlohmann::ordered_json fit_options_json(const FitOptions& options);

}  // namespace plimsoll
