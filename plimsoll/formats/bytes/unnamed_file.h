// A temporary file that has no name, so that nothing is left of it whatever happens.
#pragma once

#include <span>
#include <string>

#include "plimsoll/base/file_descriptor.h"
#include "plimsoll/formats/bytes/byte_source.h"

namespace plimsoll {

// Open for reading and writing, on the disk of `folder` (empty: where the program runs). IoError
// where that cannot be.
FileDescriptor open_unnamed_file(const std::string& folder);

class UnnamedFile {
 public:
  // On the disk of `folder`; `name` is for messages.
  UnnamedFile(const std::string& folder, std::string name);

  void append(std::span<const std::byte> bytes);
  // What was written; the file is gone when the last handle is.
  ByteSourcePtr source() &&;

 private:
  FileDescriptor file_;
  std::string name_;
  int64_t size_ = 0;
};

}  // namespace plimsoll
