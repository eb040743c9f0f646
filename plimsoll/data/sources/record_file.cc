#include "plimsoll/data/sources/record_file.h"

#include "plimsoll/formats/bytes/unnamed_file.h"

namespace plimsoll {

RecordFile::RecordFile(const std::string& folder, const Specs& fields)
    : file_(open_unnamed_file(folder)) {
  for (const Spec& field : fields) {
    field_bytes_.push_back(field.bytes());
    record_bytes_ += field.bytes();
  }
}

void RecordFile::write(int64_t record, std::span<std::byte* const> from) {
  int64_t offset = record * record_bytes_;
  for (size_t i = 0; i < field_bytes_.size(); ++i) {
    file_.write_at(offset, std::span(from[i], static_cast<size_t>(field_bytes_[i])));
    offset += field_bytes_[i];
  }
}

void RecordFile::read(int64_t record, std::span<std::byte* const> into) const {
  int64_t offset = record * record_bytes_;
  for (size_t i = 0; i < field_bytes_.size(); ++i) {
    file_.read_at(offset, std::span(into[i], static_cast<size_t>(field_bytes_[i])));
    offset += field_bytes_[i];
  }
}

}  // namespace plimsoll
