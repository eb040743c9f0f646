// CSV as RFC 4180 has it, record by record: quoted fields, doubled quotes, line
// breaks inside of quotes, any of the three line ends, a byte order mark.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/formats/bytes/byte_source.h"

namespace plimsoll {

struct CsvLimits {
  int64_t field_bytes = 1 << 20;
  int64_t record_bytes = 64 << 20;
  int64_t columns = 1 << 17;
};

// Some whole records of a file.
struct CsvPart {
  int64_t begin = 0, end = 0;  // bytes of the file
  int64_t line = 1;            // where it begins
};

class CsvReader {
 public:
  // `delimiter` 0: a comma, unless the first line has none but a semicolon or a
  // tab.
  explicit CsvReader(const ByteSourcePtr& file, char delimiter = 0, const CsvLimits& limits = {});
  // The records of a part; the delimiter must be known.
  CsvReader(ByteSourcePtr file, char delimiter, const CsvLimits& limits, const CsvPart& part);

  // Reads the next record that is not an empty line; false at the end.
  // CorruptFile, with the line and the column, where the quotes do not close or
  // a limit is passed.
  bool next();

  int64_t fields() const { return static_cast<int64_t>(ends_.size()); }
  // Without its quotes; valid until the next call of next().
  std::string_view field(int64_t i) const;
  // The line, from 1, where the record begins.
  int64_t line() const { return record_line_; }
  // The byte of the file where it begins.
  int64_t offset() const { return record_offset_; }
  char delimiter() const { return delimiter_; }
  const std::string& name() const { return file_->name(); }
  // "data.csv:18:3", for a message about field `i` of the record.
  std::string place(int64_t i) const;

 private:
  int peek();
  int take();
  void skip_byte_order_mark();
  void choose_delimiter();
  void end_field();
  void read_quoted();
  void read_plain();
  bool append_until(std::string_view stops);
  void append(std::string_view more);
  void take_line_end();
  [[noreturn]] void refuse(const std::string& what) const;

  ByteSourcePtr file_;
  CsvLimits limits_;
  char delimiter_;
  std::vector<char> chunk_;  // the part of the file that is being read
  size_t chunk_at_ = 0, chunk_end_ = 0;
  int64_t offset_ = 0, end_ = 0;  // of the file, where the next chunk begins and the last ends
  int64_t line_ = 1, record_line_ = 1, record_offset_ = 0;
  std::string text_;          // the fields of the record, one after the other
  std::vector<size_t> ends_;  // where each ends in text_
};

}  // namespace plimsoll
