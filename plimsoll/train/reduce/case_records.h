// The records of a reduced case, as tensors.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/train/model.h"

namespace plimsoll {

// Every record, one tensor per field. CorruptFile where one cannot be read; InvalidArgument where
// they take more memory than a case may.
std::vector<HostTensor> read_all(const Source& records);

// What the arrays of data.npz are called, one per field: "x" and "y" where a model has one input or
// output, else its names; "sample_weight". InvalidArgument for fields that a .npz file cannot hold.
std::vector<std::string> array_names(const Model& model, const Dataset& data);

// Tensors as records, with the names that these had.
SourcePtr named_records(std::vector<HostTensor> fields, std::vector<std::string> names);

// The same records, called by their numbers: "17".
SourcePtr numbered_records(SourcePtr records);

}  // namespace plimsoll
