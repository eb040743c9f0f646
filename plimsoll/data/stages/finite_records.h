// A source whose records are all finite: one with NaN or infinity is an error that names it.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/data/source.h"

namespace plimsoll {

// `fields`: their names, for the message.
SourcePtr finite_records(SourcePtr source, std::vector<std::string> fields = {});

}  // namespace plimsoll
