#include "plimsoll/data/record_fields.h"

#include <fmt/format.h>

#include <string>

#include "plimsoll/base/error.h"

namespace plimsoll {

void RecordWriter::check(int i, DType dtype) const {
  if (i < 0 || static_cast<size_t>(i) >= fields_.size())
    throw InvalidArgument(
        fmt::format("generator: there is no field {}; a record has {}", i, fields_.size()));
  const DType expected = fields_[static_cast<size_t>(i)].dtype;
  if (expected != dtype)
    throw InvalidArgument(
        fmt::format("generator: field {} holds {}, not {}", i, name_of(expected), name_of(dtype)));
}

}  // namespace plimsoll
