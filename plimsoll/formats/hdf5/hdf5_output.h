// Hdf5Output: the file that libhdf5 writes to. The library keeps what it could not write, and
// crashes over it when the file is closed or the process ends. So here a write never fails for it:
// what went wrong is kept for whoever uses the library.
#pragma once

#include <cstdint>
#include <string>

#include "plimsoll/base/file_descriptor.h"

namespace plimsoll {

class Hdf5Output {
 public:
  // Opens the file, which is made if it is not there. IoError where that cannot be.
  explicit Hdf5Output(const std::string& path);
  Hdf5Output(const Hdf5Output&) = delete;
  Hdf5Output& operator=(const Hdf5Output&) = delete;

  // Files that are made with these access properties of libhdf5 are this one, which must outlive
  // them. False where libhdf5 fails.
  bool use_for(int64_t access_properties);

  // Why the system refused the first write that it refused; empty: none.
  const std::string& failure() const { return failure_; }

  // For libhdf5.
  void write(int64_t offset, const void* bytes, size_t count);
  void read(int64_t offset, void* into, size_t count);
  void resize(int64_t bytes);
  int64_t size() const { return size_; }

 private:
  void note(const char* what);

  FileDescriptor file_;
  int64_t size_ = 0;
  std::string failure_;
};

}  // namespace plimsoll
