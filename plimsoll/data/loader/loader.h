// Loader: the batches of an epoch, one after the other, whole or in parts, read ahead into a few
// windows that are allocated once. What it gives depends on the source and the position alone,
// never on the number of workers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plimsoll/data/loader/batch_reader.h"
#include "plimsoll/data/loader/read_ahead.h"

namespace plimsoll {

// The position in an epoch: all that a run needs to go on.
struct DataPosition {
  int64_t epoch = 0;
  int64_t row = 0;    // good records that were given
  int64_t place = 0;  // in the order of the epoch; beyond `row` by the bad records before it
  bool operator==(const DataPosition&) const = default;
};

struct LoaderOptions {
  int64_t part_size = 0;  // batches come in parts of no more records; 0: whole
  int passes = 1;         // how often all parts of a batch are loaded
  int workers = 0;        // threads that read ahead; 0: the one that asks reads
  int windows = 1;        // parts that are held: the one in use, and those that are read ahead
  BadRecordOptions bad = {};
};

// The size of the full batches of a source: no more than its records. InvalidArgument unless
// `asked` is 1 or more and there is a record.
int64_t batch_size_of(const Source& source, int64_t asked);

// The memory that the windows of a loader will take, before it is made.
int64_t loader_bytes(const Specs& fields, int64_t batch_size, const LoaderOptions& options);

class Loader final : public BatchReader {
 public:
  // As batch_size_of().
  Loader(SourcePtr source, int64_t batch_size, const LoaderOptions& options = {});
  ~Loader() override;

  // Begins to read at this position.
  void start(const DataPosition& position);
  void start_epoch(int64_t epoch) override { start({.epoch = epoch}); }

  // Goes on to the next batch and returns its records; 0 where the epoch has ended.
  int64_t begin_batch() override;
  // How the batch is cut.
  const PartSizes& parts() const override { return parts_; }
  // Fills the fields with a part of the batch; they stay until the next call. An error is the
  // first bad record's.
  void load(int64_t part = 0);
  void load_part(int64_t part) override { load(part); }
  const std::byte* field(int i) const override { return current_->field(static_cast<size_t>(i)); }
  const Specs& fields() const override { return source_->fields(); }
  // Where the batch begins, and where the next one does once all of this was loaded.
  const DataPosition& position() const { return position_; }
  DataPosition next_position() const;
  // The record in a row of the batch, if that was loaded.
  RecordId record_at(int64_t row) const;
  int64_t batch_number() const override { return position_.row / batch_size_; }
  std::string record_name(int64_t row) const override { return source_->name(record_at(row)); }

  const Source& source() const { return *source_; }
  int64_t batch_size() const { return batch_size_; }
  // Of an epoch, without the records that are known to be bad.
  int64_t record_count() const { return source_->size() - bad_.count(); }
  int64_t batch_count() const override { return (record_count() + batch_size_ - 1) / batch_size_; }
  // How many records batch `index` of an epoch has as far as is known: the last may have fewer.
  int64_t records_of(int64_t index) const;

  // Takes the memory of the windows now.
  void touch() override;
  int64_t buffer_bytes() const;

  bool reads_ahead() const { return windows_.size() > 1; }
  double waited_seconds() const override { return ahead_.waited_seconds(); }
  BadRecords& bad_records() override { return bad_; }
  void save_state(StateWriter& to) const override;
  void load_state(const StateReader& from) override;

 private:
  // What is asked for next, as far as it is known.
  struct Cursor {
    int64_t place = 0;        // where the window begins
    int64_t batch_place = 0;  // and its batch
    int64_t part = 0;
    int pass = 0;
  };

  // A window that is read ahead.
  struct Ahead {
    LoadWindow* window;
    int64_t rows;          // that were asked for
    bool is_read = false;  // and looked through
  };

  bool is_known_bad(int64_t place) const;
  // The first place from here on that is not known to be bad.
  int64_t good_place(int64_t place) const;
  // Asks for so many records from here on; returns the place after them.
  int64_t plan(LoadWindow& window, int64_t place, int64_t count) const;
  int64_t count_rows();
  bool is_good(int64_t place);
  // Drops what was read ahead and asks for what comes from this place on.
  void restart_at(const Cursor& cursor);
  void plan_ahead();
  bool is_next(int64_t place, int64_t rows) const;
  void make_ready(Ahead& ahead);
  void note_bad(const LoadWindow& window);
  // Rows of windows that follow, or read now, take the places of those that were bad.
  void fill_up(LoadWindow& window, int64_t rows, int64_t next_place);
  int64_t take_from_next(LoadWindow& window, int64_t rows);

  SourcePtr source_;
  int64_t batch_size_;
  LoaderOptions options_;
  BadRecords bad_;
  DataPosition position_;        // of the batch
  PartSizes parts_{0, 0};        // of the batch; none before the first
  std::vector<int64_t> places_;  // of the rows of the batch that were loaded
  bool is_whole_epoch_ = true;   // it began with its first record
  bool is_all_known_ = false;    // an epoch has shown every bad record of all
  Cursor cursor_;
  std::vector<std::unique_ptr<LoadWindow>> windows_;
  std::unique_ptr<LoadWindow> probe_;  // for one record that is only looked at
  LoadWindow* current_ = nullptr;
  std::vector<LoadWindow*> free_;
  std::vector<Ahead> planned_;  // in the order in which they are wanted
  ReadAhead ahead_;             // last: its threads end first
};

}  // namespace plimsoll
