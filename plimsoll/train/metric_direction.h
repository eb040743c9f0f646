// Whether a metric is better when it is larger.
#pragma once

#include <optional>
#include <string_view>

namespace plimsoll {

// By Keras's name of the metric or its class; none where it is not known.
std::optional<bool> metric_rises(std::string_view name);

}  // namespace plimsoll
