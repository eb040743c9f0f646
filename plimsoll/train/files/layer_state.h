// What layers keep in Keras's files beside their settings and weights (KeepsState): the
// vocabulary of a layer that was adapted is a file of the archive, "assets/layers/NAME/…".
#pragma once

#include "plimsoll/formats/archives/keras_archive.h"
#include "plimsoll/nn/networks/network.h"

namespace plimsoll {

// Gives each layer what the archive has for it. CorruptFile where a file is missing;
// InvalidArgument where a layer cannot take it.
void read_layer_state(const Network& network, const KerasArchive& archive);

// The numbers alone, from the weights of a network. Layers whose numbers are not there keep theirs.
void read_layer_numbers(const Network& network, const Hdf5Group& root);

// The files; the numbers are written with the weights.
void write_layer_files(KerasArchiveWriter& writer, const Network& network);

// InvalidArgument, naming the first layer whose state is kept in files, which `path` has no place
// for.
void refuse_layer_files(const Network& network, const std::string& path);

}  // namespace plimsoll
