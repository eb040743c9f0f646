// Models in files: architecture, compile settings, weights and the state of the optimizer.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plimsoll/base/finding.h"
#include "plimsoll/train/files/weight_load.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

// The memory that saving takes, as measured. Weights stream into the file, so it is that of the
// libraries that write it, when they are first used, and of their notes about each tensor.
int64_t saving_bytes(const Model& model);
// The same for a process that computes nothing, and so uses fewer libraries.
int64_t writing_bytes(const Model& model);

// How large its .keras file is, at most.
int64_t file_bytes(const Model& model);
// What a disk must have free to write it: an old file stays until the new one is whole, and weights
// are written beside the archive first.
int64_t saving_disk_bytes(const Model& model);

struct LoadOptions {
  // Without: weights are reserved but not read, for a plan or a summary.
  bool weights = true;
  // Weights are reserved, and read when LoadedModel::values.run() is called.
  bool values_later = false;
  // Without: a file that has no weights gives a model whose weights are only reserved.
  bool initial_values = true;
  // Without: the optimizer begins anew, for a model that is not trained.
  bool optimizer_state = true;
  // Asked first with the file's compile settings as JSON text, in which losses and metrics may be
  // functions of the program. True: it has compiled the model with them and this optimizer.
  std::function<bool(Model&, const Optimizer&, const std::string& settings)> compile = {};
};

struct LoadedModel {
  Model model;
  bool compiled = false;
  bool has_weights = true;  // false: the file has none, and they are those of a new model
  // What was read otherwise than the file says: a mixed dtype policy, a loss that is not known.
  std::vector<Finding> notes = {};
  WeightLoad values = {};  // with LoadOptions::values_later: what is still to be read
};

// Reads .keras of Keras 3 (or the folder of an unpacked one), whole models in .h5 of Keras 3 and 2,
// and the text of model.to_json(), whatever the file is called. Weights stream from the file into
// place, one tensor at a time. A model without compile settings, or with a loss or metric that is
// not known, is loaded uncompiled. Throws IoError, CorruptFile with the place that is damaged, or
// InvalidArgument naming what is not understood: a custom layer, for instance.
LoadedModel load_model(const std::string& path, const LoadOptions& options = {});

// By the file's extension: .keras, .h5 or .hdf5 (as Keras calls legacy), .json (the architecture
// and compile settings alone). A file is written whole or not at all; the same model gives the same
// bytes.
void save_model(const Model& model, const std::string& path,
                const WeightValues& values = values_in_place);

// A .keras file with this text as its config.json, for a network that is a class of the program.
void save_archive(const Model& model, const std::string& config, const std::string& path,
                  const WeightValues& values = values_in_place);

}  // namespace plimsoll
