// StreamSource: the records of the batch that a stream has come to, as a source, so that the checks
// of records work on it. One run reads it, through a StreamLoader.
#pragma once

#include <memory>
#include <optional>

#include "plimsoll/data/sources/stream.h"

namespace plimsoll {

// Sources are read through const pointers; what changes here is the place in the stream.
class StreamSource final : public Source {
 public:
  StreamSource(OpenStream open, const StreamOptions& options);

  // The same stream for another run, which begins with a pass of its own.
  SourcePtr again() const { return std::make_shared<StreamSource>(open_, options_); }

  // Begins a pass, unless one has begun and only its first batch was looked at.
  void begin_pass() const;
  // Goes on to the next batch and returns its records; 0: the pass has ended.
  int64_t next() const;
  void release() const;

  // Records of the first batch, which begins a pass if none has begun. InvalidArgument if there is
  // none.
  int64_t first_records() const;
  // What making the first batch took for a moment beyond what stayed, as the process has shown it.
  // 0: less than the process had taken before, so it is not known.
  int64_t making_bytes() const {
    look();
    return making_bytes_;
  }
  // Of a pass, as it was said or as the last pass had.
  std::optional<int64_t> batches() const { return batches_; }
  // The number of the batch's first record in the pass.
  int64_t first_number() const { return first_; }

  // InvalidArgument.
  int64_t size() const override;
  // Of the batch. Begins a pass if none has begun.
  const Specs& fields() const override;
  // By their numbers in the pass; only those of the batch can be read.
  void read(RecordId id, std::span<std::byte* const> into) const override;
  void read_run(RecordId first, int64_t count, std::span<std::byte*> into) const override;
  const StreamSource* stream() const override { return this; }

 private:
  // Reads the first batch, if none was read.
  void look() const;
  void check_fields() const;

  OpenStream open_;
  StreamOptions options_;
  mutable std::unique_ptr<BatchStream> pass_;
  mutable Specs first_fields_;         // of the first batch of all
  mutable bool is_looked_at_ = false;  // the batch is the first of its pass and was not given yet
  mutable int64_t records_ = 0;        // of the batch
  mutable int64_t first_ = 0;          // number of its first record
  mutable int64_t given_ = 0;          // batches of the pass
  mutable int64_t making_bytes_ = 0;
  mutable std::optional<int64_t> batches_;
};

}  // namespace plimsoll
