// A compiled step as a picture: its buffers, their places and lives.
#pragma once

#include <string>

#include "plimsoll/engine/compiled_step.h"
#include "plimsoll/record/step_picture.h"

namespace plimsoll {

// Layers are named from the network `root` on.
StepPicture picture_of(const CompiledStep& step, const std::string& root);

}  // namespace plimsoll
