#include "plimsoll/nn/losses/loss.h"

#include <array>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/nearest_name.h"
#include "plimsoll/graph/scope.h"
#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/losses/loss_arguments.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

constexpr std::array<std::pair<std::string_view, Reduction>, 5> kReductions = {{
    {"sum_over_batch_size", Reduction::sum_over_batch_size},
    {"sum", Reduction::sum},
    {"mean", Reduction::mean},
    {"mean_with_sample_weight", Reduction::mean_with_sample_weight},
    {"none", Reduction::none},
}};

bool is_mean(Reduction reduction) {
  return reduction == Reduction::mean || reduction == Reduction::sum_over_batch_size;
}

double elements(const Tensor& tensor) {
  return static_cast<double>(tensor.shape().elements());
}

// The weight of each value, chosen so that a mean over all is the mean over those that count.
Tensor mask_weight(const Tensor& mask, Reduction reduction) {
  const Tensor counts = as_float(mask);
  if (!is_mean(reduction)) return counts;
  const double all = elements(mask);
  return counts * divide_no_nan(scalar(all), sum(counts));
}

Tensor both(const Tensor& a, const Tensor& b) {
  if (!a.defined() || !b.defined()) return a.defined() ? a : b;
  return logical_and(a, b);
}

struct Weighted {
  Tensor values;  // times the weights
  Tensor weight;  // undefined: 1
};

// `counts` says how much of each value counts; it and the weight may be undefined.
Weighted weighted(const Tensor& values, const Tensor& sample_weight, const Tensor& counts) {
  Tensor weight = sample_weight.defined() ? as_float(sample_weight) : Tensor();
  if (counts.defined()) {
    const auto [shares, given] = match_rank(counts, weight.defined() ? weight : scalar(1));
    weight = shares * given;
  }
  if (!weight.defined()) return {values, {}};
  const auto [matched, weights] = match_rank(values, weight);
  return {matched * weights, weight};
}

}  // namespace

Tensor divide_no_nan(const Tensor& a, const Tensor& b) {
  const Tensor empty = equal(b, 0);
  return select(empty, scalar(0), a / select(empty, scalar(1), b));
}

Reduction reduction(std::string_view name) {
  std::vector<std::string> known;
  for (const auto& [text, value] : kReductions) {
    if (name == text) return value;
    known.emplace_back(text);
  }
  throw InvalidArgument(not_known("loss: the reduction", name, known));
}

Loss::Loss(std::string name, LossFunction function, Reduction reduction, LossFunction mask)
    : Loss(Origin{}, std::move(name), std::move(function), reduction, std::move(mask)) {}

Loss::Loss(Origin origin, std::string name, LossFunction function, Reduction reduction,
           LossFunction mask)
    : name_(std::move(name)),
      function_(std::move(function)),
      mask_(std::move(mask)),
      reduction_(reduction),
      origin_(std::move(origin)) {}

Tensor Loss::values(const Tensor& y_true, const Tensor& y_pred, Place where) const {
  if (!defined()) throw InvalidArgument("loss: empty (default-constructed)");
  const CallSite site(where);
  const Scope scope(name_);
  const auto [truth, prediction] = match_rank(y_true, as_float(y_pred));
  return function_(truth, prediction);
}

Tensor Loss::value_mask(const Tensor& y_true, const Tensor& y_pred) const {
  return mask_ ? mask_(y_true, y_pred) : Tensor();
}

Tensor Loss::operator()(const Tensor& y_true, const Tensor& y_pred, const Tensor& sample_weight,
                        Place where) const {
  const CallSite site(where);
  const Tensor found = values(y_true, y_pred);
  const Scope scope(name_);
  return reduce_weighted(found, sample_weight, reduction_,
                         both(y_pred.mask(), value_mask(y_true, y_pred)));
}

Loss::Sums Loss::sums(const Tensor& y_true, const Tensor& y_pred,
                      const Tensor& sample_weight) const {
  const Tensor found = values(y_true, y_pred);
  const Scope scope(name_);
  const Tensor mask = both(y_pred.mask(), value_mask(y_true, y_pred));
  const Tensor counts = mask.defined() ? as_float(mask) : Tensor();
  const Weighted each = weighted(found, sample_weight, counts);
  if (reduction_ == Reduction::none)
    throw InvalidArgument(name_ + ": the reduction none gives no sum over samples");
  const Tensor total = each.values.rank() == 0 ? each.values : sum(each.values);
  if (reduction_ == Reduction::sum) return {total};
  if (!is_mean(reduction_) && each.weight.defined()) return {total, sum(each.weight)};
  if (is_mean(reduction_) && mask.defined())
    return {total, sum(counts) * (elements(each.values) / elements(mask))};
  return {.sum = total, .values = elements(each.values)};
}

Tensor reduce_weighted(const Tensor& values, const Tensor& sample_weight, Reduction reduction,
                       const Tensor& mask) {
  const Weighted each =
      weighted(values, sample_weight, mask.defined() ? mask_weight(mask, reduction) : Tensor());
  if (reduction == Reduction::none || each.values.rank() == 0) return each.values;
  if (reduction == Reduction::sum) return sum(each.values);
  if (!is_mean(reduction) && each.weight.defined())
    return divide_no_nan(sum(each.values), sum(each.weight));
  return mean(each.values);
}

}  // namespace plimsoll
