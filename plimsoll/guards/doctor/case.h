// TrainingCase: what the doctor knows about a training: the model, its data if there is some, and
// the run if there was one. Plain numbers, so that a rule can be tried without training anything.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/record/run_story.h"

namespace plimsoll {

struct LayerFacts {
  std::string name = {}, kind = {};  // "dense_1", "Dense"
  std::string activation = {};       // "relu"; empty: none
  bool is_product = false;           // multiplies by weights: Dense, Conv2D
  bool is_linear = false;            // a sum of its inputs, each times a number: Flatten, Dropout
  bool rescales = false;             // changes the range of its inputs: Rescaling
  bool is_activation = false;        // makes a function of each number: Activation, ReLU
  bool normalizes = false;           // a mean and a deviation of each feature: Normalization
  bool normalizes_batch = false;     // those of the batch: BatchNormalization
  bool is_trained = true;
  int64_t units = 0;            // the last axis of its output; -1: it is not known
  int64_t parameters = 0;       // its weights, those that can be trained or not
  double dropout = 0;           // the share that it drops
  double penalty = 0;           // the factor of its L1 or L2 penalty, the larger
  double kernel_spread = -1;    // deviation of its kernel, in those of Glorot's rule; -1: no kernel
  std::vector<int> feeds = {};  // the layers that read it; none too where that is not known
};

// Of an output whose range the doctor does not know.
inline constexpr std::string_view kUnknownActivation = "unknown";

struct OutputFacts {
  std::string name = {};           // Keras's, after which losses and metrics are called
  std::string layer = {};          // the last one that computes something
  std::string product_layer = {};  // the last one that multiplies by weights: before an Activation
  std::string activation = {};     // empty: none; or kUnknownActivation
  int64_t units = 0;
  int64_t width = 0;      // numbers of a record; 0: that depends on the record
  std::string loss = {};  // Keras's class: "MeanSquaredError"; empty: not trained, or a function
  bool from_logits = false;
};

struct ModelFacts {
  std::vector<LayerFacts> layers = {};  // in the order in which they run
  std::vector<OutputFacts> outputs = {};
  std::string optimizer = {};  // Keras's class: "Adam"
  double learning_rate = 0;
  bool has_schedule = false;
  double momentum = 0;
  double weight_decay = 0;
};

// The numbers of one input over the records that were looked at.
struct InputFacts {
  std::string name = {};
  bool meets_weights = false;  // they are multiplied by weights, not looked up or normalised
  double mean = 0, deviation = 0, least = 0, largest = 0;  // as they meet them
  int64_t columns = 0;                                     // numbers of a record
  int64_t constant_columns = 0;                            // the same in every record
  double column_ratio = 1;  // the largest deviation of a column in those of the median one
};

// The targets of one output.
struct TargetFacts {
  int64_t width = 0;  // numbers of a record
  bool is_whole = false, is_one_hot = false;
  double mean = 0, deviation = 0, least = 0, largest = 0;
  double absolute_deviation = 0;  // mean distance from the median
  // The means over the columns, of the variance and of the entropy of 0 and 1.
  double column_variance = 0, column_entropy = 0;
  double own_entropy = 0;  // of shares between 0 and 1: what a crossentropy cannot go below
  // How well those most like them predict records, 0 to 1; none: it was not tried.
  std::optional<double> neighbour_skill = {};
  // Where there are few values that may be classes: how many records have each. Labels that the
  // model has no place for count here and in `least` and `largest`.
  std::vector<int64_t> class_counts = {};
  bool has_gaps = false;  // classes are not 0, 1, 2, …
  // How often neighbours have different classes, in times of what a shuffle would give; 1 is a
  // shuffle, 0 is sorted by class.
  double mixing = 1;
};

struct DataFacts {
  int64_t records = 0, looked_at = 0;
  std::vector<InputFacts> inputs = {};
  std::vector<TargetFacts> targets = {};  // one per output; width 0: it has none
  int64_t bad_records = 0;                // of those that were looked at
  std::string first_bad = {};             // what is wrong with the first
  std::string first_bad_record = {};      // its name: "a.csv:18"
  std::string first_bad_reason = {};      // "label", "not_finite", …
};

struct TrainingCase {
  ModelFacts model;
  std::optional<DataFacts> data = {};
  std::optional<RunStory> run = {};
};

}  // namespace plimsoll
