// A temporary file that has no name, so that nothing is left of it whatever happens.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "plimsoll/base/file_descriptor.h"
#include "plimsoll/base/finding.h"
#include "plimsoll/formats/bytes/byte_source.h"

namespace plimsoll {

// The system's: $TMPDIR, or /tmp. IoError if there is no such folder.
std::string temporary_folder();

// To be called before something is written out to a file of that many bytes in `folder`: gives
// `announce` a note with the reason `why`. IoError where the disk has no room for it.
void announce_writing_out(const std::string& folder,
                          const std::function<void(const Finding&)>& announce,
                          const std::string& where, const std::string& why, int64_t bytes);

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
