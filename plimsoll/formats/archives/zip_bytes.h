// Lets libzip read an archive from a ByteSource.
#pragma once

#include <zip.h>

#include <exception>

#include "plimsoll/formats/bytes/byte_source.h"

namespace plimsoll {

class ZipBytes {
 public:
  explicit ZipBytes(ByteSourcePtr bytes);
  ~ZipBytes();
  ZipBytes(const ZipBytes&) = delete;
  ZipBytes& operator=(const ZipBytes&) = delete;

  // Opens the archive, which reads from this and so must go before it; CorruptFile where it is
  // none.
  std::shared_ptr<zip_t> open();
  // Throws again what the source threw while libzip was reading, if anything.
  void rethrow();

 private:
  static zip_int64_t command(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command);
  zip_int64_t run(void* data, zip_uint64_t length, zip_source_cmd_t command);
  zip_int64_t read(std::byte* into, zip_uint64_t length);
  zip_int64_t seek(void* data, zip_uint64_t length);

  ByteSourcePtr bytes_;
  int64_t position_ = 0;
  zip_error_t error_;
  std::exception_ptr failure_;  // may not pass through C
};

}  // namespace plimsoll
