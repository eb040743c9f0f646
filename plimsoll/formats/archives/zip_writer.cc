#include "plimsoll/formats/archives/zip_writer.h"

#include <zip.h>

#include <cstdlib>
#include <cstring>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

constexpr zip_uint16_t kDosDate = (1 << 5) | 1;  // 1 January 1980, where its calendar begins
constexpr zip_uint32_t kReadableFile = 0100644u << 16;

}  // namespace

ZipWriter::ZipWriter(const std::string& path, const std::string& name)
    : name_(name.empty() ? path : name) {
  int code = 0;
  archive_.reset(zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
  if (archive_ != nullptr) return;
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string reason = zip_error_strerror(&error);
  zip_error_fini(&error);
  throw IoError(name_ + ": cannot be written: " + reason);
}

void ZipWriter::add(const std::string& entry, std::string_view contents) {
  // libzip frees the copy, unless it is empty.
  void* copy = contents.empty() ? nullptr : std::malloc(contents.size());
  if (copy == nullptr && !contents.empty()) throw std::bad_alloc();
  if (copy != nullptr) std::memcpy(copy, contents.data(), contents.size());
  zip_source_t* source = zip_source_buffer(archive_.get(), copy, contents.size(), 1);
  if (source == nullptr) std::free(copy);
  add_source(entry, source);
}

void ZipWriter::add_file(const std::string& entry, const std::string& path) {
  add_source(entry, zip_source_file(archive_.get(), path.c_str(), 0, -1));
}

void ZipWriter::add_source(const std::string& entry, zip_source_t* source) {
  if (source == nullptr) fail();
  const zip_int64_t index = zip_file_add(archive_.get(), entry.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) zip_source_free(source);
  if (index < 0) fail();
  const auto at = static_cast<zip_uint64_t>(index);
  if (zip_set_file_compression(archive_.get(), at, ZIP_CM_STORE, 0) != 0 ||
      zip_file_set_dostime(archive_.get(), at, 0, kDosDate, 0) != 0 ||
      zip_file_set_external_attributes(archive_.get(), at, 0, ZIP_OPSYS_UNIX, kReadableFile) != 0)
    fail();
}

void ZipWriter::finish() {
  if (zip_close(archive_.get()) != 0) fail();
  (void)archive_.release();  // zip_close has freed it
}

void ZipWriter::Discard::operator()(zip* archive) const {
  zip_discard(archive);
}

void ZipWriter::fail() const {
  throw IoError(name_ + ": cannot be written: " + zip_strerror(archive_.get()));
}

}  // namespace plimsoll
