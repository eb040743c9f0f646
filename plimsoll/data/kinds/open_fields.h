// Data of any kind as the named fields of records.
#pragma once

#include "plimsoll/data/kinds/find_data.h"

namespace plimsoll {

// Opens what find_data() has found. For a model, labels are written as it takes them.
// InvalidArgument, beginning with the path, where the shapes of the inputs are not the model's.
NamedFields open_fields(const DataKind& kind, const DataRequest& request);

// Gives options.announce the files of a folder that are not read.
void announce_others(const FoundData& found, const std::string& path, const DataOptions& options);

// Opens what is at `path`, without a model.
NamedFields open_as_it_is(const std::string& path, const DataOptions& options);

}  // namespace plimsoll
