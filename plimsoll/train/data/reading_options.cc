#include "plimsoll/train/data/reading_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/base/memory_budget.h"
#include "plimsoll/base/threads.h"

namespace plimsoll {

LoaderOptions loader_options(const Source& source, int64_t window_records, LoaderOptions options,
                             const ReadingOptions& reading) {
  constexpr int64_t kMostAhead = 3, kShareOfBudget = 16;
  constexpr int64_t kEnoughBytes = 64 << 20;  // one window ahead is enough where it is larger
  options.bad = reading.bad;
  options.workers = reading.workers.value_or(source.is_in_memory() ? 0 : thread_count());
  if (options.workers < 0 || options.workers > 256)
    throw InvalidArgument(fmt::format("workers: expected 0 to 256, found {}", options.workers));
  if (options.workers == 0) return options;
  int64_t record_bytes = 1;
  for (const Spec& field : source.fields()) record_bytes += field.bytes();
  const int64_t room = reading.ahead_bytes.value_or(memory_budget().bytes / kShareOfBudget);
  const int64_t window_bytes = record_bytes * window_records;
  const int64_t ahead = std::min(room, std::max(kEnoughBytes, window_bytes)) / window_bytes;
  options.windows = 1 + static_cast<int>(std::clamp<int64_t>(ahead, 0, kMostAhead));
  return options;
}

}  // namespace plimsoll
