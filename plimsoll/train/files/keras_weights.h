// Weights in an HDF5 file as Keras 3 places them (model.weights.h5 of a .keras file, and
// .weights.h5): groups follow the attributes of layers, "layers/dense/vars/0".
#pragma once

#include <string>
#include <vector>

#include "plimsoll/base/finding.h"
#include "plimsoll/formats/hdf5/hdf5_file.h"
#include "plimsoll/formats/hdf5/hdf5_writer.h"
#include "plimsoll/nn/networks/network.h"
#include "plimsoll/nn/optimizers/optimizer.h"
#include "plimsoll/train/files/weight_load.h"

namespace plimsoll {

// True if the file has this form.
bool has_keras_weights(const Hdf5Group& root);

// An empty optimizer is left out.
void write_keras_weights(Hdf5Writer& writer, const Network& network, const Optimizer& optimizer,
                         const WeightValues& values);

// InvalidArgument, naming the layer, what was expected and what was found, where the file does not
// fit the network. An optimizer (if not empty) takes the state that is in the file; if that is the
// state of another optimizer, a note says so.
std::vector<Finding> add_keras_weights(WeightLoad& load, const Hdf5File& file,
                                       const Network& network, const Optimizer& optimizer);

}  // namespace plimsoll
