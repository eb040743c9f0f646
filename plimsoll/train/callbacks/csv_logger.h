// CSVLogger: the logs of each epoch as a line of a file, in Keras's format.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "plimsoll/train/callbacks/callback.h"

namespace plimsoll {

struct CSVLoggerOptions {
  std::string separator = ",";
  bool append = false;  // to a file that is there; without a second header
};

// The columns are those of the first epoch, in the order of their names; a number that a later
// epoch does not have is "NA". Each line is on disk when its epoch ends.
class CSVLogger final : public Callback {
 public:
  explicit CSVLogger(std::string filename, const CSVLoggerOptions& options = {});

  // IoError where the file cannot be written.
  void on_train_begin(TrainingState& state) override;
  void on_epoch_end(TrainingState& state) override;
  void on_train_end(TrainingState& state) override;
  // The lines that were written after the checkpoint go: they are written again.
  void save_state(StateWriter& to) const override;
  void load_state(const StateReader& from) override;

 private:
  void open(const char* mode);
  void sync() const;
  void choose_columns(const Logs& logs);
  void write(const std::vector<std::string>& cells);

  std::string filename_;
  CSVLoggerOptions options_;
  std::shared_ptr<std::FILE> file_;
  bool needs_header_ = true;
  std::vector<std::string> columns_;  // empty before the first epoch
};

}  // namespace plimsoll
