// Records from text files, one per line, as in tf.data's TextLineDataset. Text has no dtype
// here: a line is the numbers of its bytes or characters, filled up with zeros.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/data/source.h"

namespace plimsoll {

struct TextLinesOptions {
  enum class Unit {
    bytes,        // 0 to 255, whatever the encoding
    code_points,  // of Unicode; the text must be UTF-8
  };

  int64_t max_length = 256;  // units of a record
  Unit unit = Unit::bytes;
  DType dtype = DType::int32;  // of the units; bytes may be uint8
  bool is_cut = true;          // a longer line is cut; or else it is an error
  bool has_length = false;     // a second field, int32, with the number of units before the zeros
  int64_t skipped_lines = 0;   // at the beginning of each file
};

// The files in their order. Line ends, of Unix or Windows, do not belong to a line; empty lines
// are records; what follows the last line end is one if it is not empty. Only the place of one line
// in every few KiB is kept in memory. CorruptFile, naming the line ("a.txt:18"), where reading
// finds one too long or not UTF-8.
SourcePtr text_lines(const std::vector<std::string>& paths, const TextLinesOptions& options = {});

}  // namespace plimsoll
