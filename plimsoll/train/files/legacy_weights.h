// Weights in an HDF5 file as Keras 2 places them, and Keras 3 in files called .h5: a group for
// each layer of the model, with the names of its weights in attributes.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/formats/hdf5/hdf5_file.h"
#include "plimsoll/formats/hdf5/hdf5_writer.h"
#include "plimsoll/nn/networks/network.h"
#include "plimsoll/nn/optimizers/optimizer.h"
#include "plimsoll/train/files/weight_load.h"

namespace plimsoll {

// The group that holds the weights: the root in a file of weights, "model_weights" in a file of a
// whole model; null if there are none.
const Hdf5Group* find_legacy_weights(const Hdf5Group& root);

// Under `group`, "" for the root.
void write_legacy_weights(Hdf5Writer& writer, const std::string& group, const Network& network,
                          const WeightValues& values);
void write_legacy_optimizer(Hdf5Writer& writer, const Optimizer& optimizer,
                            const WeightValues& values);

// Layers are matched by their order, as in Keras: their names need not agree. InvalidArgument,
// naming the layer, what was expected and what was found, where the file does not fit the network.
void add_legacy_weights(WeightLoad& load, const Hdf5Group& group, const Network& network);
// The tensors of "optimizer_weights" in order; empty if there are none.
std::vector<const Hdf5Dataset*> legacy_optimizer_state(const Hdf5Group& root);

// A list of texts, which Keras splits over several attributes ("layer_names0", …) where it is long.
std::vector<std::string> read_list(const Hdf5Attributes& attributes, const std::string& name);
void write_list(Hdf5Writer& writer, const std::string& group, const std::string& name,
                const std::vector<std::string>& list);

}  // namespace plimsoll
