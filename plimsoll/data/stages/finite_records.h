// A source whose records are all finite: one with NaN or infinity is an error that names it.
#pragma once

#include "plimsoll/data/source.h"

namespace plimsoll {

SourcePtr finite_records(SourcePtr source);

}  // namespace plimsoll
