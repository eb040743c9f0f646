// Writes a .npy array row by row; the file appears whole or not at all.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/base/file_descriptor.h"
#include "plimsoll/tensor/host_tensor.h"

namespace plimsoll {

class NpyWriter {
 public:
  // `spec` is that of the whole array.
  NpyWriter(const std::string& path, const Spec& spec);

  // The next elements, row-major.
  void append(std::span<const std::byte> bytes);
  // Gives the file its name. InvalidArgument unless exactly the elements of the spec were written.
  void finish();

 private:
  AtomicFile file_;
  FileDescriptor descriptor_;
  Spec spec_;
  int64_t begin_ = 0, end_ = 0;  // of the elements so far, in the file
};

void write_npy(const std::string& path, const HostTensor& tensor);

}  // namespace plimsoll
