// NumPy's .npz: a zip of .npy arrays. Stored arrays are read in place, a batch
// at a time; a compressed one is expanded once to a file.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/finding.h"
#include "plimsoll/formats/numpy/npy.h"

namespace plimsoll {

class ZipArchive;

struct NpzOptions {
  // Where what cannot be read in place is written out, in files that vanish
  // with the process. Empty: the system's temporary folder.
  std::string folder = {};
  // Called with the size of such a file before it is written.
  std::function<void(const Finding&)> announce = {};
  // A stored array up to this size is checked against its checksum when it is
  // opened; a larger one would cost a pass over the data.
  int64_t checked_bytes = int64_t{256} << 20;
};

class NpzFile {
 public:
  explicit NpzFile(const std::string& path, NpzOptions options = {});
  explicit NpzFile(ByteSourcePtr bytes, NpzOptions options = {});

  const std::string& path() const { return bytes_->name(); }
  // Of the arrays, in the order of the file, without ".npy".
  std::vector<std::string> names() const;
  bool contains(std::string_view name) const;
  // InvalidArgument, with the names that are there, if there is no such array.
  NpyArray array(std::string_view name) const;

 private:
  ByteSourcePtr expand(const std::string& entry, int64_t bytes) const;
  ByteSourcePtr in_place(const std::string& entry, int64_t bytes) const;

  ByteSourcePtr bytes_;
  NpzOptions options_;
  std::shared_ptr<ZipArchive> archive_;
};

// The array with its rows in order, so that a batch is one read: written out
// where it is not.
NpyArray readable_by_rows(const NpyArray& array, const NpzOptions& options);

}  // namespace plimsoll
