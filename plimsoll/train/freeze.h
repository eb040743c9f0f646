// Layers that training leaves as they are.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/train/model.h"

namespace plimsoll {

// Makes every layer untrainable whose name ("conv1") or path ("encoder/conv1") fits the pattern of
// a shell: "conv*", "encoder/*". Returns their paths; InvalidArgument lists the layers where none
// fits. Before the first step of training.
std::vector<std::string> freeze_layers(Model& model, const std::string& pattern);

}  // namespace plimsoll
