// Weights alone, in files of their own.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/base/finding.h"
#include "plimsoll/train/files/weight_load.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

// Weights that were found in a file and checked against a model, and not read yet.
struct FoundWeights {
  WeightLoad load;                  // run() reads the values
  std::vector<Finding> notes = {};  // what is read otherwise than the file says
};

// As load_weights(), but reads no values. A compiled model's optimizer gets its slots if the file
// has their state.
FoundWeights find_weights(const Model& model, const std::string& path, bool optimizer_state = true);

// Reads .weights.h5 of Keras 3 and 2, weights out of a whole .keras or .h5 model, and .safetensors
// (by names such as "encoder/dense/kernel"), whatever the file is called. A file that does not fit
// the model changes nothing: InvalidArgument names the layer, what was expected and what was found.
// The state of a compiled model's optimizer is read where the file has it. What was read otherwise
// than the file says is in the notes.
std::vector<Finding> load_weights(Model& model, const std::string& path);

// By the file's extension: .weights.h5 as Keras 3 writes it, with the state of the optimizer;
// another .h5 or .hdf5 as Keras 2; .safetensors. A file is written whole or not at all.
void save_weights(const Model& model, const std::string& path,
                  const WeightValues& values = values_in_place);

}  // namespace plimsoll
