// The event files of plimsoll train --tensorboard.
#pragma once

#include <optional>
#include <vector>

#include "plimsoll/base/finding.h"
#include "plimsoll/cli/train_arguments.h"
#include "plimsoll/train/callbacks/callback.h"

namespace plimsoll::cli {

// The callback that writes the event files; none without the option. `findings` must outlive it.
std::optional<AnyCallback> tensor_board(const TrainArguments& arguments,
                                        const std::vector<Finding>& findings);

}  // namespace plimsoll::cli
