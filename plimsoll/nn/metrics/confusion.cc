#include "plimsoll/nn/metrics/confusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/losses/loss_arguments.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

constexpr double kNegative = -1e10;  // below every threshold
constexpr size_t kFewThresholds = 8;

double share(double part, double rest) {
  return part + rest == 0 ? 0 : part / (part + rest);
}

// Those that are not among the k largest of their row become negative; of equals, the first count.
Tensor keep_top_k(const Tensor& x, int64_t k) {
  const int64_t classes = x.shape().back();
  Tensor kept, left = x;
  for (int64_t i = 0; i < std::min(k, classes); ++i) {
    const Tensor largest = one_hot(argmax(left), classes);
    kept = kept.defined() ? kept + largest : largest;
    left = select(not_equal(largest, 0), scalar(-INFINITY), left);
  }
  return select(not_equal(kept, 0), x, scalar(kNegative));
}

// Element `index` of the last axis, which stays.
Tensor last_axis_at(const Tensor& x, int64_t index) {
  std::vector<int64_t> begin(static_cast<size_t>(x.rank()), 0), size(begin.size(), -1);
  begin.back() = index;
  size.back() = 1;
  return slice(x, begin, size);
}

// 0, 1, 2, … along the last axis.
Tensor label_numbers(int64_t labels) {
  std::vector<float> numbers(static_cast<size_t>(labels));
  std::iota(numbers.begin(), numbers.end(), 0.0f);
  return constant(numbers, {labels});
}

}  // namespace

double Confusion::precision() const {
  return share(true_positives, false_positives);
}
double Confusion::recall() const {
  return share(true_positives, false_negatives);
}
double Confusion::specificity() const {
  return share(true_negatives, false_positives);
}
double Confusion::false_positive_rate() const {
  return share(false_positives, true_negatives);
}

ConfusionMatrices::ConfusionMatrices(std::string owner, Settings settings)
    : owner_(std::move(owner)),
      settings_(std::move(settings)),
      order_(settings_.thresholds.size()) {
  std::iota(order_.begin(), order_.end(), size_t{0});
  std::ranges::stable_sort(order_, [&](size_t a, size_t b) {
    return settings_.thresholds[a] < settings_.thresholds[b];
  });
  for (const size_t i : order_) sorted_.push_back(settings_.thresholds[i]);
}

int64_t ConfusionMatrices::labels_of(const Tensor& y_pred) const {
  if (!settings_.multi_label) return 1;
  if (y_pred.rank() != 2)
    throw InvalidArgument(owner_ + ": with multi_label, predictions are (batch, labels), found " +
                          y_pred.shape().to_string());
  return y_pred.shape()[1];
}

Shape ConfusionMatrices::state_shape(int64_t labels) const {
  return {2, static_cast<int64_t>(sorted_.size()) + 1, labels};
}

// How many thresholds each prediction is above, as floats.
Tensor ConfusionMatrices::thresholds_passed(const Tensor& y_pred) const {
  Tensor passed;
  if (settings_.evenly_spaced) {
    const double last = static_cast<double>(sorted_.size()) - 1;
    passed = ceil(clip(y_pred, 0, 1) * last);
    if (sorted_.front() < 0 || sorted_.back() > 1) passed = maximum(passed, 1);
  } else if (sorted_.size() <= kFewThresholds) {
    for (const double threshold : sorted_) {
      const Tensor above = as_float(greater(y_pred, threshold));
      passed = passed.defined() ? passed + above : above;
    }
  } else {
    const std::vector<float> values(sorted_.begin(), sorted_.end());
    const Tensor thresholds = constant(values, {static_cast<int64_t>(values.size())});
    passed = sum(as_float(greater(expand_dims(y_pred, -1), thresholds)), {-1});
  }
  return select(equal(y_pred, y_pred), passed, scalar(0));  // NaN is above none
}

Tensor ConfusionMatrices::weights(const Tensor& sample_weight, const Tensor& y_true,
                                  const Shape& shape) const {
  Tensor weight;
  if (sample_weight.defined()) {
    weight = expand_dims(as_float(sample_weight), -1);
    if (weight.rank() == y_true.rank() + 1) weight = squeeze(weight, -1);
  }
  if (!settings_.label_weights.empty() && !settings_.multi_label) {
    const std::vector<float> values(settings_.label_weights.begin(), settings_.label_weights.end());
    const Tensor labels = constant(values, {1, static_cast<int64_t>(values.size())});
    weight = weight.defined() ? weight * labels : labels;
  }
  return broadcast_to(weight.defined() ? weight : scalar(1), shape);
}

Tensor ConfusionMatrices::counts(const Tensor& y_true, const Tensor& y_pred,
                                 const Tensor& sample_weight) const {
  auto [prediction, truth] = match_rank(as_float(y_pred), as_float(y_true));
  if (prediction.shape() != truth.shape())
    throw InvalidArgument(owner_ + ": y_true has shape " + y_true.shape().to_string() +
                          ", y_pred " + y_pred.shape().to_string() + ", expected the same");
  if (settings_.top_k) prediction = keep_top_k(prediction, *settings_.top_k);
  if (settings_.class_id) {
    if (prediction.rank() < 2 || *settings_.class_id >= prediction.shape().back())
      throw InvalidArgument(
          fmt::format("{}: class_id {} is not among the classes of predictions of shape {}", owner_,
                      *settings_.class_id, y_pred.shape().to_string()));
    prediction = last_axis_at(prediction, *settings_.class_id);
    truth = last_axis_at(truth, *settings_.class_id);
  }
  const int64_t labels = labels_of(prediction), buckets = state_shape(labels)[1];
  const Tensor row = select(not_equal(truth, 0), scalar(0), scalar(static_cast<double>(buckets)));
  Tensor place = row + thresholds_passed(prediction);
  if (labels > 1) place = place * labels + label_numbers(labels);
  const Tensor weight = weights(sample_weight, truth, prediction.shape());
  const Tensor flat = scatter_add(reshape(weight, {-1}), cast(reshape(place, {-1}), DType::int32),
                                  2 * buckets * labels);
  return reshape(flat, state_shape(labels));
}

bool are_evenly_spaced(std::span<const double> thresholds) {
  constexpr double kAbsolute = 1e-7, kRelative = 1e-5;  // as numpy.allclose there
  if (thresholds.size() < 3) return false;
  const double last = static_cast<double>(thresholds.size() - 1);
  for (size_t i = 0; i < thresholds.size(); ++i) {
    const double expected = static_cast<double>(i) / last;
    if (std::abs(thresholds[i] - expected) > kAbsolute + kRelative * expected) return false;
  }
  return true;
}

std::vector<double> even_thresholds(int64_t count) {
  if (count == 1) return {0.5};
  std::vector<double> thresholds;
  for (int64_t i = 0; i < count; ++i)
    thresholds.push_back(static_cast<double>(i) / static_cast<double>(count - 1));
  return thresholds;
}

}  // namespace plimsoll
