// TFRecord files, tar archives and IDX files as the inputs and targets of a model.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/train/data/model_fit.h"

namespace plimsoll {

// Features by the names that the file of features gives them, as arrays of a .npz have them, or in
// its order: inputs, then targets.
Dataset open_tfrecords(const std::vector<std::string>& paths, const ModelFit& fit);
// The images, or arrays, and classes of each record.
Dataset open_tars(const std::vector<std::string>& paths, const ModelFit& fit);
// A file for each input, then one for each target.
Dataset open_idx(const std::vector<std::string>& paths, const ModelFit& fit);

}  // namespace plimsoll
