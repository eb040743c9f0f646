// A step whose loss or gradients were not finite, as RUN/bad-steps has kept it.
#pragma once

#include <optional>
#include <string>

#include "plimsoll/train/model.h"

namespace plimsoll {

struct KeptStep {
  SourcePtr records;   // of the part of its batch in which that began
  int64_t number = 0;  // steps before it
};

// The last step that was kept. `model`, which is compiled, then has the weights of before the step.
// Nothing if none is kept, or where its records have other fields than `fields`. CorruptFile
// where the file is damaged or that of another model.
std::optional<KeptStep> read_kept_step(const std::string& run, const Specs& fields, Model& model);

}  // namespace plimsoll
