// A run on a console. On a terminal: a line that moves while batches are done (live_line.h), and a
// table with one row per epoch (epoch_table.h). Elsewhere: one plain line per epoch (plain_line.h).
// Findings that are made meanwhile are above the line (moving_line.h).
#pragma once

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>

#include "plimsoll/base/moving_line.h"
#include "plimsoll/record/run_observer.h"
#include "plimsoll/report/epoch_table.h"
#include "plimsoll/report/terminal.h"

namespace plimsoll {

// The metric by which epochs are compared.
struct Monitored {
  std::string metric = {};  // empty: val_loss, or loss where there is none
  bool rises = false;       // more is better
};

class ConsoleProgress final : public RunObserver, private MovingLine {
 public:
  ConsoleProgress(std::FILE* out, const TerminalStyle& style, Monitored monitored = {});
  // On standard output, as that is.
  explicit ConsoleProgress(Monitored monitored = {});
  // Ends a line that is not finished because the run was stopped or failed.
  ~ConsoleProgress() override;
  ConsoleProgress(const ConsoleProgress&) = delete;
  ConsoleProgress& operator=(const ConsoleProgress&) = delete;

  // Of epochs that another process has done.
  void set_best(double value) { best_ = value; }

  // Redraws the line, at most ten times per second.
  void on_batch_end(const Progress& progress) override;
  void on_epoch_end(const Progress& progress) override;

 private:
  using Clock = std::chrono::steady_clock;

  void wipe() override;
  void draw_again() override;
  bool is_best(const Progress& progress);
  void write_row(const Progress& progress, size_t columns);
  void write_broken(std::string_view line, size_t columns);

  std::FILE* out_;
  TerminalStyle style_;
  Monitored monitored_;
  bool is_monitor_named_;
  std::optional<double> best_;
  EpochTable table_;
  std::optional<Clock::time_point> drawn_at_;
  char line_[8192];  // what is on the screen, to be drawn again
  size_t line_bytes_ = 0;
  size_t width_ = 0;  // its columns
};

}  // namespace plimsoll
