// Where the lines of some text files are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/formats/bytes/byte_source.h"
#include "plimsoll/formats/bytes/sparse_offsets.h"

namespace plimsoll {

class LineIndex {
 public:
  // Reads the whole file for its line ends; its first `skipped` lines are no records.
  void add_file(ByteSource& file, int64_t skipped);

  int64_t size() const { return files_.empty() ? 0 : files_.back().lines_end; }

  struct LinePosition {
    size_t file = 0;
    int64_t line = 0;    // of the file, from 1
    int64_t offset = 0;  // of a line at or before it
    int64_t passed = 0;  // lines between the offset and the line
  };
  LinePosition operator[](int64_t record) const;
  // The memory that it takes.
  int64_t bytes() const;

 private:
  struct File {
    int64_t lines_begin, lines_end;  // numbers of records
    int64_t skipped;
    SparseOffsets offsets;  // by the number of the line in the file
  };

  std::vector<File> files_;
};

// The line that follows after `passed` others from `offset` on, without its line end, as far as
// `most` bytes. IoError where the file has become shorter.
std::string read_line(ByteSource& file, int64_t offset, int64_t passed, int64_t most);

}  // namespace plimsoll
