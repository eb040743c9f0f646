// Batches: the records of a source, in the order of an epoch, copied into one set of buffers that
// is allocated once.
#pragma once

#include <optional>
#include <vector>

#include "plimsoll/data/permutation.h"
#include "plimsoll/data/source.h"

namespace plimsoll {

// The size of the full batches of a source: no more than its records. InvalidArgument unless
// `asked` is 1 or more and there is a record.
int64_t batch_size_of(const Source& source, int64_t asked);

class Batches {
 public:
  // As batch_size_of(). The buffers hold `part_size` records of a batch; 0: all.
  Batches(SourcePtr source, int64_t batch_size, int64_t part_size = 0);

  // Orders the records: as they come, or by the key of (seed, epoch).
  void start_epoch();
  void start_shuffled_epoch(int64_t seed, int64_t epoch);

  int64_t batch_count() const;
  int64_t batch_size() const { return batch_size_; }
  // How many records batch `index` has: the last may have fewer.
  int64_t records_of(int64_t index) const;
  // The number in the source of record `row` of a batch.
  int64_t record_at(int64_t index, int64_t row) const;

  // Fills the buffers with rows [first, first + count) of a batch; they stay valid and in place
  // until the next call.
  void load(int64_t index, int64_t first, int64_t count);
  void load(int64_t index) { load(index, 0, records_of(index)); }
  // Takes the buffers' memory now.
  void touch();
  const std::byte* field(int i) const { return buffers_[static_cast<size_t>(i)]->data(); }
  int64_t buffer_bytes() const;
  int64_t untouched_bytes() const;  // of them, what was not taken yet

  const Source& source() const { return *source_; }

 private:
  SourcePtr source_;
  int64_t batch_size_, part_size_;
  std::optional<Permutation> order_;
  std::vector<StoragePtr> buffers_;  // one a field, of part_size_ records
  std::vector<std::byte*> cursors_;  // where the next record's fields go
};

}  // namespace plimsoll
