// What is looked for in records, and how.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/data/check/check_report.h"
#include "plimsoll/data/encode/table_encoding.h"
#include "plimsoll/data/source.h"
#include "plimsoll/formats/images/image.h"

namespace plimsoll {

// What a field of the records should be.
struct FieldToCheck {
  std::string name = {};
  FieldRole role = FieldRole::input;
  std::vector<std::string> columns = {};  // names of a vector's numbers; none: their places
  int64_t limit = 0;                      // numbers are whole, from 0 to limit - 1; 0: any numbers
  std::optional<int64_t> ignored = {};    // but this is taken, too
  // Whether a target is classes. Unset: it is if it has few different whole numbers.
  std::optional<bool> is_classes = {};
};

// Data in which bad records are listed and not thrown, as far as that was found on opening it.
struct DataToCheck {
  SourcePtr records;
  std::vector<FieldToCheck> fields = {};  // what these are
  std::vector<BadEntry> bad = {};         // by record; nothing else is asked of these
  std::vector<CheckWarning> warnings = {};
  bool are_images = false;         // each record is an image file (see with_image_file)
  TableEncodingPtr encoding = {};  // of a table whose cells become numbers
};

struct CheckOptions {
  std::vector<FieldToCheck> fields = {};  // one per field; fewer: the others are inputs
  bool are_images = false;                // each record is an image file (see with_image_file)
  ImageLimits limits = {};                // of these
  std::vector<BadEntry> known = {};       // found before, by record; nothing else is asked of these
  int threads = 0;                        // 0: thread_count()
  // Called now and then by the calling thread with the records that are done. May throw: that ends
  // the work.
  std::function<void(int64_t)> progress = {};
};

}  // namespace plimsoll
