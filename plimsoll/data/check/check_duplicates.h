// Records that are the same, within one set and across two.
#pragma once

#include <span>
#include <vector>

#include "plimsoll/data/check/record_check.h"

namespace plimsoll {

// Takes the fingerprint of every record, and warns of those that come twice.
std::unique_ptr<RecordCheck> check_duplicates(const RecordsInCheck& records);

// Warns of records whose inputs and targets come before; and, where the targets are classes, of
// those whose inputs come before with another target.
void warn_of_duplicates(std::span<const Fingerprint> records, bool are_classes,
                        const RecordName& name, std::vector<CheckWarning>& warnings);

// Warns of records of `validation` whose inputs are in `train` too.
void warn_of_leaks(std::span<const Fingerprint> train, const RecordName& train_name,
                   std::span<const Fingerprint> validation, const RecordName& validation_name,
                   std::vector<CheckWarning>& warnings);

}  // namespace plimsoll
