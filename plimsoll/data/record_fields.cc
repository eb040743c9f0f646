#include "plimsoll/data/record_fields.h"

#include <string>

#include "plimsoll/base/error.h"

namespace plimsoll {

void RecordWriter::check(int i, DType dtype) const {
  if (i < 0 || static_cast<size_t>(i) >= fields_.size())
    throw InvalidArgument("generator: there is no field " + std::to_string(i) + "; a record has " +
                          std::to_string(fields_.size()));
  const DType expected = fields_[static_cast<size_t>(i)].dtype;
  if (expected != dtype)
    throw InvalidArgument("generator: field " + std::to_string(i) + " holds " +
                          std::string(name_of(expected)) + ", not " + std::string(name_of(dtype)));
}

}  // namespace plimsoll
