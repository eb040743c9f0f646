// Where the records of some files begin: eight bytes per record, whatever a record holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace plimsoll {

class RecordOffsets {
 public:
  struct Extent {
    size_t file = 0;
    int64_t number = 0;  // of the record in its file
    int64_t offset = 0, bytes = 0;
  };

  // The next record of the file begins here; the one before ends here.
  void add(int64_t offset) { offsets_.push_back(offset); }
  // The last record of the file ends here; records that are added later belong to the next file.
  void end_file(int64_t end);
  // Call after the last end_file(): gives back memory that was taken in advance.
  void shrink() { offsets_.shrink_to_fit(); }

  int64_t size() const { return static_cast<int64_t>(offsets_.size()); }
  Extent operator[](int64_t record) const;
  // The memory that it takes.
  int64_t bytes() const;

 private:
  struct File {
    int64_t records_end;  // the number of its last record, plus one
    int64_t end;          // the byte after its last record
  };

  std::vector<int64_t> offsets_;
  std::vector<File> files_;
};

}  // namespace plimsoll
