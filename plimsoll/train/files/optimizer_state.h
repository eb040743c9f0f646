// The state of an optimizer in a file.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/base/finding.h"
#include "plimsoll/formats/hdf5/hdf5_file.h"
#include "plimsoll/nn/networks/network.h"
#include "plimsoll/nn/optimizers/optimizer.h"
#include "plimsoll/train/files/weight_load.h"

namespace plimsoll {

// Adds the tensors, in Keras's order, to what is loaded. A file that was saved before the first
// step may hold the count of steps and the learning rate alone. Where the tensors are those of
// another optimizer, this one stays as it is, and a note says so, as Keras does.
std::vector<Finding> add_optimizer_state(WeightLoad& load,
                                         const std::vector<const Hdf5Dataset*>& tensors,
                                         const Network& network, const Optimizer& optimizer,
                                         const std::string& file);

}  // namespace plimsoll
