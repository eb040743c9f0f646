// BatchReader: the batches of an epoch, one after the other, whole or in parts.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "plimsoll/data/loader/bad_records.h"
#include "plimsoll/data/loader/part_sizes.h"
#include "plimsoll/formats/checkpoint/state.h"
#include "plimsoll/tensor/spec.h"

namespace plimsoll {

class BatchReader {
 public:
  static constexpr int64_t kNoEnd = std::numeric_limits<int64_t>::max();
  // The names of spans of time (base/trace.h).
  static constexpr std::string_view kWaiting = "wait for data", kReading = "read records";

  virtual ~BatchReader() = default;

  virtual void start_epoch(int64_t epoch) = 0;
  // False if it is known that no batch is left; waits for the next one if need be.
  virtual bool has_next() { return true; }
  // Goes on to the next batch and returns its records; 0 where the epoch has ended.
  virtual int64_t begin_batch() = 0;
  // How the batch is cut.
  virtual const PartSizes& parts() const = 0;
  // Fills the fields with a part of the batch; they stay until the next call.
  virtual void load_part(int64_t part) = 0;
  virtual const std::byte* field(int i) const = 0;
  // Of a record of the batch.
  virtual const Specs& fields() const = 0;

  // The number of the batch in the epoch, and what a person calls the record in a row of it.
  virtual int64_t batch_number() const = 0;
  virtual std::string record_name(int64_t row) const = 0;

  // An epoch has no more batches than this; kNoEnd if that is not known before it ends.
  virtual int64_t batch_count() const = 0;
  // How many an epoch will have, as far as is known.
  virtual std::optional<int64_t> expected_batches() const { return batch_count(); }

  // Takes the memory of the buffers now.
  virtual void touch() = 0;
  virtual double waited_seconds() const = 0;
  virtual BadRecords& bad_records() = 0;

  // Where it goes on after the batch that was loaded last, and which records are known to be bad.
  virtual void save_state(StateWriter& to) const = 0;
  // Of a reader of the same data: the batches that follow are those that would have followed there.
  virtual void load_state(const StateReader& from) = 0;
};

}  // namespace plimsoll
