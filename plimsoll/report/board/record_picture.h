// The picture of a record that was left out, if the record is an image file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace plimsoll {

struct RecordPicture {
  int64_t height = 0, width = 0;
  std::string file;  // the bytes of a JPEG or PNG file
};

// `name` is the path of the record. A file that can be decoded becomes a JPEG; one that is cut off
// stays as it is, because browsers show the part that is there. None where it is no file, no image,
// or larger than a picture on a page has to be: 1 MiB, and a million pixels.
std::optional<RecordPicture> picture_of_record(const std::string& name);

}  // namespace plimsoll
