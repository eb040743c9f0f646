#include "plimsoll/data/sources/record_offsets.h"

#include <algorithm>

namespace plimsoll {

void RecordOffsets::end_file(int64_t end) {
  files_.push_back({size(), end});
}

RecordOffsets::Extent RecordOffsets::operator[](int64_t record) const {
  const auto file = std::ranges::upper_bound(files_, record, {}, &File::records_end);
  const int64_t first = file == files_.begin() ? 0 : (file - 1)->records_end;
  const int64_t offset = offsets_[static_cast<size_t>(record)];
  const int64_t end =
      record + 1 < file->records_end ? offsets_[static_cast<size_t>(record) + 1] : file->end;
  return {static_cast<size_t>(file - files_.begin()), record - first, offset, end - offset};
}

int64_t RecordOffsets::bytes() const {
  return static_cast<int64_t>(offsets_.capacity() * sizeof(int64_t) +
                              files_.capacity() * sizeof(File));
}

}  // namespace plimsoll
