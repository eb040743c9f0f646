// plan.json of a run: the picture of its training step, of a size that is bounded.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "plimsoll/record/step_picture.h"

namespace plimsoll {

// What plan.json has at most. Of more moments, neighbours are joined, and the fullest of them is
// named; of more buffers the largest stay.
struct PictureLimits {
  int64_t moments = 2048;
  int64_t buffers = 4096;
};

// docs/formats/run.md describes it.
nlohmann::ordered_json to_json(const StepPicture& picture, const PictureLimits& limits = {});

}  // namespace plimsoll
