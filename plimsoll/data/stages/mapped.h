// Records changed, or chosen, by a function.
#pragma once

#include <functional>
#include <optional>

#include "plimsoll/data/source.h"
#include "plimsoll/data/sources/generator.h"

namespace plimsoll {

// Reads the fields of one record.
class RecordReader {
 public:
  RecordReader(const Specs& fields, std::span<std::byte* const> from)
      : fields_(fields), from_(from) {}

  // The elements of field i, row-major. InvalidArgument where there is no such field, or T is not
  // its element type.
  template <class T>
  std::span<const T> field(int i) const {
    return RecordWriter(fields_, from_).field<T>(i);
  }

 private:
  const Specs& fields_;
  std::span<std::byte* const> from_;
};

// These functions are called from several threads, and should depend on nothing but their
// arguments: then a run repeats exactly. Random numbers are drawn by the record and its epoch.
using ChangeRecord = std::function<void(RecordId id, const RecordWriter& record)>;
using MapRecord =
    std::function<void(RecordId id, const RecordReader& from, const RecordWriter& to)>;
using KeepRecord = std::function<bool(const RecordReader& record)>;

// Changes each record where it stands.
SourcePtr mapped(SourcePtr source, ChangeRecord change);
// Makes records of other fields.
SourcePtr mapped(SourcePtr source, const Specs& fields, MapRecord map);

// The records that `keep` keeps. Reads all of them once, now, and holds eight bytes for each that
// is kept. An error of a record is thrown.
SourcePtr filtered(SourcePtr source, const KeepRecord& keep);

}  // namespace plimsoll
