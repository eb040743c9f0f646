// EpochTable: one row per epoch on a terminal, in columns that stay where they are:
//
//   epoch     time      loss  accuracy  val_loss  val_accuracy      memory
//     1/3     0.3s    0.7368    0.7414    0.5401        0.7920    22.6 MiB  best
//     2/3     0.3s    0.4776    0.8338    0.4650        0.8290    22.6 MiB  best
//     3/3     0.3s    0.4158    0.8552    0.4702        0.8460    22.6 MiB
//
// "best" marks an epoch that is better than all before it, a "*" in its place saves room. A number
// takes eight columns, whatever it is. In a narrow terminal these columns are left out: memory,
// then metrics from the last on, but the monitored one, loss and val_loss; then time, val_loss and
// loss. The header ends with their number ("+3").
#pragma once

#include <string>
#include <vector>

#include "plimsoll/record/run_observer.h"
#include "plimsoll/report/terminal.h"

namespace plimsoll {

class EpochTable {
 public:
  struct Row {
    const Progress& progress;
    std::string_view monitored;  // the metric by which epochs are compared
    bool is_best = false;
  };

  explicit EpochTable(const TerminalStyle& style) : style_(style) {}

  // The row, in lines of at most `columns` columns that each have their end. The header is before
  // the first one and wherever columns are others than before. Metrics that an epoch lacks, as
  // those of a validation every few epochs, have their column still.
  std::string lines(const Row& row, size_t columns);

 private:
  struct Column {
    std::string name;  // as it is shown
    size_t width = 0;
    int importance = 0;  // the least is left out first
    bool operator==(const Column&) const = default;
  };

  void note_metrics(const Progress& progress);
  std::vector<Column> columns_of_row(const Row& row) const;
  std::vector<std::string> cells_of(const Progress& progress) const;

  TerminalStyle style_;
  std::vector<std::string> metrics_;  // all that an epoch has had, in order
  std::vector<Column> shown_;         // under the last header
};

// A number in at most eight columns, with as many digits as there is room for, but at most four
// after the point: "0.4312", "12345.68", "1.20e-04", "nan".
std::string number_in_table(double value);

}  // namespace plimsoll
