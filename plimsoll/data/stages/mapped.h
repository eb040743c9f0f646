// Records changed, or chosen, by a function.
#pragma once

#include <functional>
#include <optional>

#include "plimsoll/data/record_fields.h"
#include "plimsoll/data/source.h"

namespace plimsoll {

// These functions are called from several threads, and should depend on nothing but their
// arguments: then a run repeats exactly. Random numbers are drawn by the record and its epoch.
using ChangeRecord = std::function<void(RecordId id, const RecordWriter& record)>;
using MapRecord =
    std::function<void(RecordId id, const RecordReader& from, const RecordWriter& to)>;
using KeepRecord = std::function<bool(const RecordReader& record)>;

// Changes each record in place.
SourcePtr mapped(SourcePtr source, ChangeRecord change);
// Makes records of other fields.
SourcePtr mapped(SourcePtr source, const Specs& fields, MapRecord map);

// The records that `keep` keeps. Reads all of them once, now, and holds eight bytes for each that
// is kept. An error of a record is thrown.
SourcePtr filtered(SourcePtr source, const KeepRecord& keep);

}  // namespace plimsoll
