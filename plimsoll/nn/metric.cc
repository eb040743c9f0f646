#include "plimsoll/nn/metric.h"

#include <array>
#include <cstring>
#include <numeric>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/scope.h"
#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/loss_list.h"
#include "plimsoll/nn/match_rank.h"
#include "plimsoll/nn/metric_list.h"
#include "plimsoll/ops/elementwise.h"
#include "plimsoll/ops/movement.h"
#include "plimsoll/ops/reduction.h"

namespace plimsoll {
namespace {

// Keeps the name that it was asked for by, "mse" say, as Keras does.
Metric by_name(std::string_view name) {
  std::string known;
  for (const MetricKind& kind : metric_list()) {
    if (name == kind.name || name == kind.class_name || (name == kind.short_name && !name.empty()))
      return Metric(std::string(name), kind.make().function());
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
  }
  if (const LossKind* kind = find_loss(name))
    return Metric(std::string(name),
                  [loss = kind->make()](const Tensor& y_true, const Tensor& y_pred) {
                    return loss.values(y_true, y_pred);
                  });
  throw InvalidArgument("metric: '" + std::string(name) + "' is not known (known: " + known +
                        ", and every loss)");
}

// The mean over all axes from `first` on.
Tensor mean_from(const Tensor& x, int first) {
  if (x.rank() <= first) return x;
  std::vector<int> axes(static_cast<size_t>(x.rank() - first));
  std::iota(axes.begin(), axes.end(), first);
  return mean(x, axes);
}

double number(const Variable& variable) {
  float value;
  std::memcpy(&value, variable.data(), sizeof value);
  return value;
}

}  // namespace

Metric::Metric(std::string_view name) : Metric(by_name(name)) {}

Metric::Metric(std::string name, MetricFunction function) {
  const Spec spec{DType::float32, {}};
  state_ = std::make_shared<const State>(State{.name = name,
                                               .function = std::move(function),
                                               .total = Variable(name + "/total", spec, false),
                                               .count = Variable(name + "/count", spec, false)});
}

const Metric::State& Metric::state() const {
  if (!defined()) throw InvalidArgument("metric: empty (default-constructed)");
  return *state_;
}

void Metric::update_state(const Tensor& y_true, const Tensor& y_pred, const Tensor& sample_weight,
                          std::source_location where) const {
  const CallSite site(where);
  add_values(function()(y_true, y_pred), sample_weight, where);
}

void Metric::add_values(const Tensor& given, const Tensor& sample_weight,
                        std::source_location where) const {
  const CallSite site(where);
  const Scope scope(name());
  Tensor values = as_float(given), count;
  if (sample_weight.defined()) {
    const auto [matched, weights] = match_rank(values, as_float(sample_weight));
    values = mean_from(matched, weights.rank());
    const Tensor spread = broadcast_to(weights, values.shape());
    values = values * spread;
    count = sum(mean_from(spread, 1));
  } else {
    count = scalar(values.rank() == 0 ? 1 : static_cast<double>(values.shape()[0]));
  }
  Variable total = state().total, samples = state().count;
  total.assign(total + sum(mean_from(values, 1)));
  samples.assign(samples + count);
}

double Metric::result() const {
  const double count = number(state().count);
  return count == 0 ? 0 : number(state().total) / count;
}

void Metric::reset_state() const {
  const std::array<float, 1> zero = {0};
  for (Variable variable : variables()) variable.set(zero);
}

Mean::Mean(const MeanOptions& options)
    : Metric(options.name, [](const Tensor&, const Tensor& y_pred) { return y_pred; }) {}

}  // namespace plimsoll
