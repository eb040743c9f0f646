// Calls a function for each record of a source, and sources of chosen records.
#pragma once

#include <functional>
#include <vector>

#include "plimsoll/data/record_fields.h"
#include "plimsoll/data/source.h"

namespace plimsoll {

// In the order of the records; they are read by several threads. An error of a record is thrown.
void for_each_record(const SourcePtr& source,
                     const std::function<void(int64_t number, const RecordReader& record)>& visit);

// The records with these numbers, in this order.
SourcePtr chosen(SourcePtr source, std::vector<int64_t> numbers);

}  // namespace plimsoll
