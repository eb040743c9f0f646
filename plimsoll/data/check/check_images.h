// Images: what their files are, and pictures of nothing.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "plimsoll/data/check/check_report.h"
#include "plimsoll/data/check/noted_records.h"
#include "plimsoll/data/sources/record_view.h"
#include "plimsoll/formats/images/image.h"

namespace plimsoll {

// What the files of many images have in common, and which differ.
class ImageStatistics {
 public:
  // Reads the file of a record; its fingerprint. IoError, or FlawedRecord where it is over the
  // limits.
  uint64_t add_file(int64_t record, const std::string& path, const ImageLimits& limits);
  // The pixels of a record: its inputs that are (height, width, channels).
  void add_pixels(const RecordView& record, size_t field);
  // Adds those of later records.
  void merge(const ImageStatistics& later);

  void warn(const RecordName& name, std::vector<CheckWarning>& warnings) const;

 private:
  std::array<NotedRecords, 5> by_channels_;
  NotedRecords wrong_names_, one_colour_;
};

}  // namespace plimsoll
