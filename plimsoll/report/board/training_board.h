// TrainingBoard: what TensorBoard is shown of a training. Numbers of epochs are in the folders
// "train" and "validation", as Keras has them; those of sampled steps, whose steps are batches, in
// "steps"; hyper-parameters, findings and pictures of bad records in the folder itself.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "plimsoll/base/finding.h"
#include "plimsoll/formats/tensorflow/graph_def.h"
#include "plimsoll/formats/tensorflow/summary_value.h"
#include "plimsoll/record/step_statistics.h"
#include "plimsoll/report/board/board_files.h"

namespace plimsoll {

// Of an epoch that is done. Numbers that are 0 are left out, but those of the metrics.
struct BoardEpoch {
  int64_t epoch = 0;                           // from 0
  std::map<std::string, double> metrics = {};  // "loss", "val_loss", …
  double learning_rate = 0;
  double samples_per_second = 0, steps_per_second = 0;
  int64_t resident_bytes = 0, planned_peak_bytes = 0;
};

class TrainingBoard {
 public:
  explicit TrainingBoard(std::string folder, BoardFiles::Steps steps = BoardFiles::Steps::alike)
      : files_(std::move(folder), steps) {}

  void add_graph(std::span<const GraphNode> nodes) { files_.add_graph("train", graph_def(nodes)); }
  void add_hyper_parameters(const HyperParameters& values);
  // After so many batches; metrics are means over the epoch so far.
  void add_batch(int64_t step, const std::map<std::string, double>& metrics,
                 double steps_per_second = 0);
  void add_epoch(const BoardEpoch& epoch);
  void add_histogram(const std::string& tag, const Histogram& histogram, int64_t step);
  void add_statistics(const StepStatistics& statistics);
  // A record that is left out, at an epoch: its name, why, and its picture if it has one. Only the
  // first kMostBadRecords are shown.
  void add_bad_record(const std::string& name, const std::string& why, int64_t epoch);
  void add_finding(const Finding& finding, int64_t epoch);
  // The outcome, for a table of hyper-parameters.
  void add_outcome(bool has_failed);
  void close() { files_.close(); }

  // Bytes that it takes: an event while it is written, and the picture of a bad record.
  static constexpr int64_t kBytes = int64_t{1} << 20, kPictureBytes = int64_t{11} << 20;
  static constexpr int64_t kMostBadRecords = 20;
  // Of a graph of so many nodes, while it is written.
  static int64_t graph_bytes(int64_t nodes) { return nodes * 2048; }

  // For a checkpoint.
  std::string state();
  void go_on(const std::string& state, const std::string& where);

 private:
  BoardFiles files_;
  int64_t findings_ = 0, bad_records_ = 0;
  bool has_hyper_parameters_ = false;
};

}  // namespace plimsoll
