// Checks of images: the formats of their files, and pictures that show nothing.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "plimsoll/data/check/record_check.h"

namespace plimsoll {

// What the files of many images have in common, and which differ.
class ImageStatistics {
 public:
  // The bytes of the file of a record.
  void add_file(int64_t record, const std::string& path, std::span<const std::byte> bytes);
  // The pixels of a record: its inputs that are (height, width, channels).
  void add_pixels(const RecordView& record, size_t field);
  // Adds those of later records.
  void merge(const ImageStatistics& later);

  void warn(const RecordName& name, std::vector<CheckWarning>& warnings) const;

 private:
  std::array<NotedRecords, 5> by_channels_;
  NotedRecords wrong_names_, one_colour_;
};

std::unique_ptr<RecordCheck> check_images(const RecordsInCheck& records);

}  // namespace plimsoll
