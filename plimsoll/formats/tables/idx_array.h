// An IDX file whose rows are read as they are asked for.
#pragma once

#include <functional>
#include <string>

#include "plimsoll/base/finding.h"
#include "plimsoll/formats/bytes/byte_source.h"
#include "plimsoll/formats/tables/idx.h"

namespace plimsoll {

struct IdxOptions {
  // Where a file that is compressed by gzip is expanded, into one that vanishes with the process.
  // Empty: the system's temporary folder.
  std::string folder = {};
  // Called with the size of such a file before it is written.
  std::function<void(const Finding&)> announce = {};
  int64_t max_bytes = kIdxMaxBytes;
};

// A shared handle, safe for threads.
class IdxArray {
 public:
  // CorruptFile, naming the file and the place, if it is not a whole IDX file.
  explicit IdxArray(const std::string& path, const IdxOptions& options = {});
  explicit IdxArray(ByteSourcePtr file, int64_t max_bytes = kIdxMaxBytes);

  const std::string& name() const { return file_->name(); }
  const Spec& spec() const { return spec_; }
  // Rows are along axis 0; a scalar is one row.
  int64_t rows() const { return spec_.shape.rank() == 0 ? 1 : spec_.shape[0]; }
  int64_t row_bytes() const;

  // Writes rows [first, first + count), which must be there, into `into`.
  void read_rows(int64_t first, int64_t count, std::byte* into) const;

 private:
  ByteSourcePtr file_;
  Spec spec_;
};

}  // namespace plimsoll
