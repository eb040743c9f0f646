// The facts about data that the doctor's rules read.
#pragma once

#include "plimsoll/data/source.h"
#include "plimsoll/guards/doctor/case.h"
#include "plimsoll/guards/doctor/fields_to_look_at.h"

namespace plimsoll {

// Reads some thousand records, evenly spread over all, fewer if they are large. Records that cannot
// be read are counted. `unchecked` are the same records with the labels that the model has no place
// for.
DataFacts data_facts(const Source& source, const Source& unchecked, const FieldsToLookAt& fields);

}  // namespace plimsoll
