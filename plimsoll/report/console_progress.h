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
  // `live`: redraw the line as batches end, several times a second.
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
  void draw(std::string_view line, std::string_view end);

  std::FILE* out_;
  bool live_;
  double drawn_at_ = -1;  // seconds into the epoch
  size_t width_ = 0;      // of the line that is on the screen
};

// "epoch 2/5  320/938  loss 0.4312  accuracy 0.8467  5,120 samples/s  0:03 left  57.3 MiB"; a done
// epoch says how long it took instead of how long is left. Fits `into` of `size` bytes.
std::string_view progress_line(const Progress& progress, char* into, size_t size);

}  // namespace plimsoll
