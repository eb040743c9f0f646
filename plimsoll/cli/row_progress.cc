#include "plimsoll/cli/row_progress.h"

#include <utility>

#include "plimsoll/base/process_memory.h"

namespace plimsoll::cli {

RowProgress::RowProgress(std::string work, int64_t rows)
    : work_(std::move(work)),
      rows_(rows),
      is_shown_(terminal_style(stderr).is_live),
      line_(stderr, terminal_style(stderr)) {}

void RowProgress::add(int64_t rows) {
  done_ += rows;
  if (!is_shown_) return;
  const Progress progress{.work = work_,
                          .batch = done_,
                          .batches = rows_,
                          .samples = done_,
                          .seconds = watch_.seconds(),
                          .resident_bytes = process_memory().resident_bytes,
                          .unit = "rows"};
  if (done_ == rows_)
    line_.on_epoch_end(progress);
  else
    line_.on_batch_end(progress);
}

}  // namespace plimsoll::cli
