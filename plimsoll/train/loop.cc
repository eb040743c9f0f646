#include "plimsoll/train/loop.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/stream_source.h"

namespace plimsoll {

void notify(const Callbacks& callbacks, Hook hook, TrainingState& state) {
  for (const AnyCallback& callback : callbacks) (callback.operator->()->*hook)(state);
}

bool wants_statistics(const Callbacks& callbacks) {
  return std::ranges::any_of(
      callbacks, [](const AnyCallback& callback) { return callback->wants_statistics(); });
}

void begin_loop(TrainingState& state, const Specs& fields, std::optional<int64_t> count) {
  state.batch = 0;
  state.batches = count.value_or(0);
  state.batches_done = 0;
  state.samples = 0;
  state.seconds = 0;
  state.unit = fields[0].shape.rank() == 3 ? "images" : "samples";
  state.set_logs({});
}

void report_bad_records(BadRecords& bad, const Callbacks& callbacks, TrainingState& state,
                        FirstLeftOut* first) {
  bad.report_to([&callbacks, &state, first](const BadRecord& record) {
    if (first != nullptr) first->hear_of(record);
    for (const AnyCallback& callback : callbacks) callback->on_bad_record(state, record);
  });
}

void refuse_if_all_are_bad(const char* command, const std::vector<BatchReader*>& loaders) {
  int64_t bad = 0;
  for (BatchReader* loader : loaders) bad += loader->bad_records().count();
  if (bad > 0)
    throw CorruptFile(fmt::format(
        "{}: all {} records are bad, so none is left (`plimsoll check` lists them)", command, bad));
}

void end_batch(TrainingState& state, int64_t records, double seconds) {
  ++state.batches_done;
  state.samples += records;
  state.seconds = seconds;
}

BatchChoice batch_choice(const Dataset& data, std::optional<int64_t> size,
                         std::optional<int64_t> steps) {
  if (data.batch_size && size && *size != *data.batch_size)
    throw InvalidArgument(
        fmt::format("batch_size: the data comes in batches of {}, found {}; leave one of them out",
                    *data.batch_size, *size));
  if (size && data.source != nullptr && data.source->stream() != nullptr)
    throw InvalidArgument("batch_size: the data comes in batches already; leave it out");
  return {data.batch_size ? data.batch_size : size, steps};
}

Dataset with_own_stream(const Dataset& data) {
  Dataset own = data;
  if (data.source != nullptr && data.source->stream() != nullptr)
    own.source = data.source->stream()->again();
  return own;
}

bool runs_last(const Source& source, const BatchChoice& choice) {
  if (source.stream() != nullptr) return true;
  const int64_t size = choice.size_for(source.size());
  return !choice.steps || size < 1 || *choice.steps >= (source.size() + size - 1) / size;
}

}  // namespace plimsoll
