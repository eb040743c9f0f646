// LoadWindow: room for some records, one after the other, field by field, and what is known of each
// of them.
#pragma once

#include <exception>
#include <vector>

#include "plimsoll/data/source.h"

namespace plimsoll {

// Once it is made, nothing here allocates.
class LoadWindow {
 public:
  LoadWindow(const Specs& fields, int64_t capacity);

  // Empties it; rows of this epoch are added then.
  void begin(int64_t epoch);
  // One more row, not read yet.
  void add_row(int64_t place);

  int64_t rows() const { return static_cast<int64_t>(places_.size()); }
  const std::vector<int64_t>& places() const { return places_; }
  int64_t bytes() const;
  void touch();
  const std::byte* field(size_t i) const { return fields_[i].storage->data(); }

  // Reads rows [begin, end). What cannot be read leaves an error with its row. Safe for several
  // threads as long as their rows are different.
  void read(const Source& source, int64_t begin, int64_t end);
  // Null where the row is good.
  const std::exception_ptr& error(int64_t row) const { return errors_[static_cast<size_t>(row)]; }
  bool has_error() const;

  // Closes the gaps of bad rows.
  void drop_bad_rows();
  // Moves the first `count` rows of another window to the end of this one.
  void take_rows(LoadWindow& from, int64_t count);

 private:
  struct Field {
    int64_t row_bytes;
    StoragePtr storage;
  };

  // Reads rows whose places are consecutive.
  void read_run(const Source& source, int64_t begin, int64_t end);
  void copy_row(const LoadWindow& from, int64_t from_row, int64_t to_row);
  void drop_first(int64_t count);

  std::vector<Field> fields_;
  int64_t epoch_ = 0;
  std::vector<int64_t> places_;             // of each row
  std::vector<std::exception_ptr> errors_;  // of each row
};

}  // namespace plimsoll
