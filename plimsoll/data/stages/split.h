// A source in two parts: records to train on, and records to measure the model on.
#pragma once

#include <optional>
#include <string>

#include "plimsoll/data/source.h"

namespace plimsoll {

struct SplitOptions {
  double validation_split = 0.2;  // between 0 and 1: the part to measure on
  // By order: the last int(validation_split * size) records are the validation. By hash: each
  // record is placed by its name, so that it stays in its part when others come or go, and stays in
  // validation when the fraction grows; the parts are only about as large as asked for.
  enum class By { order, hash } by = By::order;
  // By order: shuffles before, as numpy's RandomState(seed) does. None: the order of the source.
  std::optional<int64_t> seed = {};
  // By hash: the beginning of the names that does not count, which is the path of the data. So a
  // folder that moves keeps its split.
  std::string root = {};
};

// Reads "order" and "hash". InvalidArgument for anything else.
SplitOptions::By split_by(const std::string& name);

struct SplitSources {
  SourcePtr train, validation;
};

// The parts of Keras's image_dataset_from_directory, in its order: with shuffle=False if there
// is no seed, else with shuffle=True and that seed. Takes 4 bytes per record with a seed, a seventh
// of a byte by hash, nothing otherwise. Of records that overlap (Source::overlap), those between
// the parts are in neither. InvalidArgument where a part would be empty, and where such records
// are to be shuffled or split by hash.
SplitSources split(const SourcePtr& source, const SplitOptions& options);

// The number that decides: a fraction above it puts the record of that name into validation. It
// stays the same in all versions.
double split_position(std::string_view name);

}  // namespace plimsoll
