// Records that are kept once they were read, so that later epochs need not make them again.
#pragma once

#include <string>

#include "plimsoll/data/source.h"

namespace plimsoll {

// Kept in memory, which is taken now and so is a part of every plan, or, with the name of a folder,
// in a file there that has no name and is gone when the source is. What is random in a record is
// that of the first epoch, whenever it is read, also in a run that goes on. DoesNotFit, IoError
// where there is no room.
SourcePtr cached(const SourcePtr& source, const std::string& folder = "");

}  // namespace plimsoll
