// One line per epoch on a terminal: batches done, metrics, speed, time left, memory. If the output
// is not a terminal, only the finished line is written.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "plimsoll/record/run_observer.h"

namespace plimsoll {

class ConsoleProgress final : public RunObserver {
 public:
  // `live`: redraw the line as batches end, several times a second. It is then kept within the
  // terminal: what matters least is left out of a line that moves, and a finished line is broken
  // between its fields.
  ConsoleProgress(std::FILE* out, bool live);
  // On standard output, live if that is a terminal.
  ConsoleProgress();
  // Ends a line that is not finished because the run was stopped or failed.
  ~ConsoleProgress() override;
  ConsoleProgress(const ConsoleProgress&) = delete;
  ConsoleProgress& operator=(const ConsoleProgress&) = delete;

  void on_batch_end(const Progress& progress) override;
  void on_epoch_end(const Progress& progress) override;

 private:
  void draw(std::string_view line, size_t columns);
  void write_broken(std::string_view line, size_t columns);

  std::FILE* out_;
  bool live_;
  double drawn_at_ = -1;  // seconds into the epoch
  size_t width_ = 0;      // columns of the line that is on the screen
};

// "epoch 2/5  320/938  loss 0.4312  accuracy 0.8467  5,120 samples/s  0:03 left  memory 57.3 MiB";
// a done epoch says how long it took instead of how long is left. Fits `into` of `size` bytes.
std::string_view progress_line(const Progress& progress, char* into, size_t size);

// The same in at most `columns` columns. Speed is left out first, then memory, then metrics from
// the last on (but loss and val_loss), time, val_loss, batches and loss; at last it is cut.
std::string_view progress_line(const Progress& progress, size_t columns, char* into, size_t size);

// The columns of the terminal that the file is, now: as it says, else as COLUMNS says, else 80.
size_t terminal_columns(std::FILE* file);

}  // namespace plimsoll
