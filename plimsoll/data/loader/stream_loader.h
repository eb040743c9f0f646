// StreamLoader: the batches of a stream, as they come. One thread reads and checks the next batch
// into a window while the caller uses another.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "plimsoll/data/loader/batch_reader.h"
#include "plimsoll/data/sources/stream_source.h"

namespace plimsoll {

struct StreamLoaderOptions {
  int windows = 1;           // batches that are held; with 1 the caller's thread reads
  int64_t most_records = 0;  // larger batches come in pieces of so many; 0: as they are
  BadRecordOptions bad = {};
};

// The memory of the windows, for batches of so many records.
int64_t stream_loader_bytes(const Specs& fields, int64_t records, int windows);

class StreamLoader final : public BatchReader {
 public:
  // `source`: a stream, or stages of checks upon one.
  StreamLoader(SourcePtr source, const StreamLoaderOptions& options);
  ~StreamLoader() override;

  void start_epoch(int64_t epoch) override;
  bool has_next() override;
  // Throws what the stream threw.
  int64_t begin_batch() override;
  const PartSizes& parts() const override { return parts_; }
  // Cuts the batch.
  void cut(const PartSizes& parts) { parts_ = parts; }
  void load_part(int64_t part) override { first_row_ = piece_ + parts_.first(part); }
  const std::byte* field(int i) const override;
  const Specs& fields() const override { return current_ ? current_->fields : planned_fields_; }
  int64_t batch_number() const override { return batches_ - 1; }
  std::string record_name(int64_t row) const override;
  int64_t batch_count() const override { return kNoEnd; }
  std::optional<int64_t> expected_batches() const override { return expected_; }
  void touch() override;
  double waited_seconds() const override { return waited_seconds_; }
  BadRecords& bad_records() override { return bad_; }
  void save_state(StateWriter& to) const override;
  // Reads the batches that were given, and forgets them: a stream only goes on.
  void load_state(const StateReader& from) override;

  // Batches of the stream that were given as a whole.
  int64_t whole_batches() const { return has_rest() ? batches_ - 1 : batches_; }

 private:
  // One batch, or the end of the pass, or what the stream threw.
  struct Window {
    Specs fields;
    std::vector<StoragePtr> bytes;  // of each field; they grow if they must
    std::vector<int64_t> numbers;   // in the pass, of each record
    std::vector<std::pair<int64_t, std::exception_ptr>> bad;  // records that are left out
    std::exception_ptr error;
    bool is_end = false;
  };

  void read_ahead();
  // On whichever thread reads.
  void fill(Window& window);
  void read_rows(Window& window, int64_t first, int64_t count);
  void make_room(Window& window, int64_t records) const;
  // The window that comes next.
  Window& front();
  void give_back_current();
  bool has_rest() const;
  int64_t begin_piece();
  void note_bad();

  SourcePtr source_;
  StreamLoaderOptions options_;
  Specs planned_fields_;
  BadRecords bad_;
  PartSizes parts_{0, 0};
  int64_t epoch_ = 0, batches_ = 0;  // of the stream, that were given in this epoch
  int64_t piece_ = 0;                // where the batch that was given begins in its window
  int64_t first_row_ = 0;            // of the part that is loaded
  std::optional<int64_t> expected_;
  double waited_seconds_ = 0;
  std::vector<std::unique_ptr<Window>> windows_;
  Window* current_ = nullptr;

  std::mutex mutex_;  // of all below, and of the windows' handing over
  std::condition_variable work_, done_;
  std::vector<Window*> free_;
  std::deque<Window*> ready_;
  bool may_read_ = false;    // the pass goes on
  bool is_reading_ = false;  // a window is being filled
  bool is_ending_ = false;
  std::jthread reader_;  // last: it ends first
};

}  // namespace plimsoll
