// What metrics of positives and negatives have in common. Predictions above a threshold are
// positive. State: for each number k of thresholds, the summed weights of true and of false targets
// whose predictions are above just k of them; true positives and all the rest follow from that.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "plimsoll/nn/metrics/metric.h"

namespace plimsoll {

// How targets and predictions agree at one threshold, in summed weights.
struct Confusion {
  double true_positives = 0, false_positives = 0, true_negatives = 0, false_negatives = 0;

  double precision() const;    // of positive predictions, how many are true
  double recall() const;       // of true targets, how many were found
  double specificity() const;  // of false targets, how many were left out
  double false_positive_rate() const;
};

class ConfusionMatrices {
 public:
  struct Settings {
    std::vector<double> thresholds;
    std::optional<int64_t> top_k = {};     // predictions that are not among the k largest: negative
    std::optional<int64_t> class_id = {};  // looks at this class alone
    bool multi_label = false;              // a matrix for each element of the last axis
    std::vector<double> label_weights = {};  // what each element of the last axis counts for
    // Thresholds are at 0, 1 / n, … 1, perhaps moved outwards at the ends; a prediction's threshold
    // is found by rounding.
    bool evenly_spaced = false;
  };

  ConfusionMatrices() = default;
  // `owner` begins errors.
  ConfusionMatrices(std::string owner, Settings settings);

  // How many matrices there are per threshold, given predictions.
  int64_t labels_of(const Tensor& y_pred) const;
  // The shape of the state for this many labels.
  Shape state_shape(int64_t labels) const;
  // The counts to add to the state.
  Tensor counts(const Tensor& y_true, const Tensor& y_pred, const Tensor& sample_weight) const;

  // At each threshold, in descending order, from the state of one label.
  template <class Visit>
  void for_each(const float* state, int64_t labels, int64_t label, Visit&& visit) const {
    const auto buckets = static_cast<int64_t>(sorted_.size()) + 1;
    const auto at = [&](bool truth, int64_t bucket) {
      return static_cast<double>(state[((truth ? 0 : buckets) + bucket) * labels + label]);
    };
    Confusion found;
    for (int64_t k = 0; k < buckets; ++k) {
      found.false_negatives += at(true, k);
      found.true_negatives += at(false, k);
    }
    for (int64_t t = buckets - 2; t >= 0; --t) {
      const double truth = at(true, t + 1), rest = at(false, t + 1);
      found.true_positives += truth;
      found.false_negatives -= truth;
      found.false_positives += rest;
      found.true_negatives -= rest;
      visit(order_[static_cast<size_t>(t)], found);
    }
  }

  size_t threshold_count() const { return sorted_.size(); }

 private:
  Tensor thresholds_passed(const Tensor& y_pred) const;
  Tensor weights(const Tensor& sample_weight, const Tensor& y_true, const Shape& shape) const;

  std::string owner_;
  Settings settings_;
  std::vector<double> sorted_;  // the thresholds, ascending
  std::vector<size_t> order_;   // the position of each of them in the given list
};

// True if they are at 0, 1 / n, … 1, by Keras's rule.
bool are_evenly_spaced(std::span<const double> thresholds);
// `count` of them from 0 to 1; one alone is 0.5.
std::vector<double> even_thresholds(int64_t count);

}  // namespace plimsoll
