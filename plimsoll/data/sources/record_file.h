// RecordFile: records of the same fields at their places in a file that has no name.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/base/file_descriptor.h"
#include "plimsoll/data/source.h"

namespace plimsoll {

class RecordFile {
 public:
  // On the disk of `folder`; empty: where the program runs.
  RecordFile(const std::string& folder, const Specs& fields);

  // Safe for several threads as long as their records are different.
  void write(int64_t record, std::span<std::byte* const> from);
  void read(int64_t record, std::span<std::byte* const> into) const;

 private:
  FileDescriptor file_;
  std::vector<int64_t> field_bytes_;
  int64_t record_bytes_ = 0;
};

}  // namespace plimsoll
