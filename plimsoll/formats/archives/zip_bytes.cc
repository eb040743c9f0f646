#include "plimsoll/formats/archives/zip_bytes.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {

ZipBytes::ZipBytes(ByteSourcePtr bytes) : bytes_(std::move(bytes)) {
  zip_error_init(&error_);
}

ZipBytes::~ZipBytes() {
  zip_error_fini(&error_);
}

std::shared_ptr<zip_t> ZipBytes::open() {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_function_create(command, this, &error);
  zip_t* archive = source == nullptr ? nullptr : zip_open_from_source(source, ZIP_RDONLY, &error);
  if (archive == nullptr && source != nullptr) zip_source_free(source);
  const std::string reason = zip_error_strerror(&error);
  zip_error_fini(&error);
  rethrow();
  if (archive == nullptr)
    throw CorruptFile(bytes_->name() + ": is not a whole zip archive: " + reason);
  return {archive, zip_discard};
}

void ZipBytes::rethrow() {
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

zip_int64_t ZipBytes::command(void* self, void* data, zip_uint64_t length,
                              zip_source_cmd_t command) {
  return static_cast<ZipBytes*>(self)->run(data, length, command);
}

zip_int64_t ZipBytes::run(void* data, zip_uint64_t length, zip_source_cmd_t command) {
  switch (command) {
    case ZIP_SOURCE_OPEN:
      position_ = 0;
      return 0;
    case ZIP_SOURCE_READ:
      return read(static_cast<std::byte*>(data), length);
    case ZIP_SOURCE_SEEK:
      return seek(data, length);
    case ZIP_SOURCE_TELL:
      return position_;
    case ZIP_SOURCE_STAT: {
      auto* status = static_cast<zip_stat_t*>(data);
      zip_stat_init(status);
      status->size = static_cast<zip_uint64_t>(bytes_->size());
      status->valid |= ZIP_STAT_SIZE;
      return sizeof(zip_stat_t);
    }
    case ZIP_SOURCE_ERROR:
      return zip_error_to_data(&error_, data, length);
    case ZIP_SOURCE_SUPPORTS:
      return ZIP_SOURCE_SUPPORTS_SEEKABLE;
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
      return 0;
    default:
      zip_error_set(&error_, ZIP_ER_OPNOTSUPP, 0);
      return -1;
  }
}

zip_int64_t ZipBytes::read(std::byte* into, zip_uint64_t length) {
  const auto left = static_cast<zip_uint64_t>(std::max(bytes_->size() - position_, int64_t{0}));
  const auto count = static_cast<size_t>(std::min(length, left));
  try {
    bytes_->read_at(position_, {into, count});
  } catch (...) {
    failure_ = std::current_exception();
    zip_error_set(&error_, ZIP_ER_READ, EIO);
    return -1;
  }
  position_ += static_cast<int64_t>(count);
  return static_cast<zip_int64_t>(count);
}

zip_int64_t ZipBytes::seek(void* data, zip_uint64_t length) {
  const zip_int64_t to = zip_source_seek_compute_offset(static_cast<zip_uint64_t>(position_),
                                                        static_cast<zip_uint64_t>(bytes_->size()),
                                                        data, length, &error_);
  if (to < 0) return -1;
  position_ = to;
  return 0;
}

}  // namespace plimsoll
