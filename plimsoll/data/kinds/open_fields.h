// Data of any kind as the named fields of records.
#pragma once

#include "plimsoll/data/kinds/data_kind.h"

namespace plimsoll {

// Opens what find_data() has found. For a model, labels are written as it takes them.
// InvalidArgument, beginning with the path, where the inputs have not the shapes that it takes.
NamedFields open_fields(const DataKind& kind, const DataRequest& request);

// What is at `path`, for no model in particular.
NamedFields open_as_it_is(const std::string& path, const DataOptions& options);

}  // namespace plimsoll
