// What the loops of fit, evaluate and predict share.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "plimsoll/train/callbacks/callback.h"
#include "plimsoll/train/callbacks/first_left_out.h"
#include "plimsoll/train/data/dataset.h"
#include "plimsoll/train/steps/data_pass.h"

namespace plimsoll {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

using Hook = void (Callback::*)(TrainingState&);
void notify(const Callbacks& callbacks, Hook hook, TrainingState& state);
// True if one of them does.
bool wants_statistics(const Callbacks& callbacks);

// The counters of an epoch, an evaluation or a prediction of `count` batches start again; none: how
// many is not known. `fields` are those of a record.
void begin_loop(TrainingState& state, const Specs& fields, std::optional<int64_t> count);
// Calls on_bad_record of the callbacks for each record that the loader leaves out. `callbacks` and
// `state` must outlive the loader, and so must `first`, which hears of them too.
void report_bad_records(BadRecords& bad, const Callbacks& callbacks, TrainingState& state,
                        FirstLeftOut* first = nullptr);
void end_batch(TrainingState& state, int64_t records, double seconds);
// CorruptFile if a pass that had no batch has left out bad records: then it has left out all.
// `command` begins the message.
void refuse_if_all_are_bad(const char* command, const std::vector<BatchReader*>& loaders);

// The batch size is that of the data if it has one, else `size`. InvalidArgument if they differ.
BatchChoice batch_choice(const Dataset& data, std::optional<int64_t> size,
                         std::optional<int64_t> steps);

// The data, with a stream (from_stream) that this run alone reads.
Dataset with_own_stream(const Dataset& data);

// True if the last, smaller batch is among the first choice.steps batches.
bool runs_last(const Source& source, const BatchChoice& choice);

}  // namespace plimsoll
