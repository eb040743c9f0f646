// TFRecord files: one record after the other, each a length of eight bytes, the checksum of that,
// the data, and its checksum. Files that are compressed as a whole are refused: nothing in them can
// be found without expanding all before it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "plimsoll/formats/bytes/byte_source.h"

namespace plimsoll {

struct TfRecordLimits {
  int64_t record_bytes = int64_t{1} << 30;
};

// Calls `found` with the place of each record, in their order; a record reaches to the next one.
// Lengths are checked against their checksums, the data is not read. CorruptFile, with the number
// of the record and the byte, where a length is damaged or the file is cut off.
void index_tfrecords(ByteSource& file, const std::function<void(int64_t offset)>& found,
                     const TfRecordLimits& limits = {});

// The data of a whole record, a part of `record`. CorruptFile, beginning with `name`, where a
// checksum is not that of the bytes.
std::span<const std::byte> tfrecord_data(std::span<const std::byte> record,
                                         const std::string& name);

// The bytes of the record that holds `data`.
std::string tfrecord_of(std::span<const std::byte> data);

}  // namespace plimsoll
