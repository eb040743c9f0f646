#include "plimsoll/train/steps/objective.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

// The mean over samples: a batch counts as many times as it has samples.
void track(const Mean& tracker, const Tensor& loss, int64_t batch) {
  const float count = static_cast<float>(batch);
  tracker.update_state(reshape(loss, {1}), constant(std::span(&count, 1), {1}));
}

// A metric that was asked for by its name is not shared: each model has its own. One that the
// program made is shared with the program.
Metric own_metric(const Metric& metric) {
  return metric.asked_name().empty() ? metric : Metric(metric.asked_name());
}

}  // namespace

Objective::Objective(std::string owner, std::vector<std::string> outputs,
                     const CompileOptions& options)
    : owner_(std::move(owner)),
      outputs_(std::move(outputs)),
      losses_(options.loss.spread(outputs_, Loss(), owner_ + ": loss")),
      loss_weights_(options.loss_weights.spread(outputs_, 1, owner_ + ": loss_weights")),
      total_(MeanOptions{.name = "loss"}) {
  require_every_output(options.loss);
  if (std::ranges::count(needs_target(), true) > 1)
    for (const std::string& output : outputs_)
      each_.emplace_back(MeanOptions{.name = output + "_loss"});
  add_metrics(options);
  name_metrics();
}

void Objective::require_every_output(const PerOutput<Loss>& loss) const {
  for (const std::string& output : outputs_)
    if (!loss.names.empty() && std::ranges::find(loss.names, output) == loss.names.end())
      throw InvalidArgument(owner_ + ": loss: no loss is given for the output " + output +
                            "; Loss() leaves it untrained");
}

std::vector<bool> Objective::needs_target() const {
  std::vector<bool> needed;
  for (const Loss& loss : losses_) needed.push_back(loss.defined());
  return needed;
}

// All metrics are the only output's, however they are grouped.
std::vector<OutputMetrics> Objective::spread(const Metrics& metrics, const char* what) const {
  if (outputs_.size() > 1) return metrics.spread(outputs_, {}, owner_ + ": " + what);
  OutputMetrics all;
  for (const OutputMetrics& some : metrics.values) all.insert(all.end(), some.begin(), some.end());
  return {all};
}

void Objective::add_metrics(const CompileOptions& options) {
  const auto add = [&](const Metrics& metrics, const char* what, bool is_weighted) {
    const std::vector<OutputMetrics> all = spread(metrics, what);
    for (size_t output = 0; output < all.size(); ++output)
      for (const Metric& metric : all[output])
        if (metric.defined()) metrics_.push_back({output, own_metric(metric), is_weighted});
  };
  add(options.metrics, "metrics", false);
  add(options.weighted_metrics, "weighted_metrics", true);
}

std::string Objective::name_of(const Watched& watched) const {
  const std::string prefix = outputs_.size() > 1 ? outputs_[watched.output] + "_" : "";
  const std::string plain = prefix + watched.metric.name();
  const auto taken = [&](const std::string& name) {
    return std::ranges::find(names_, name) != names_.end();
  };
  std::string base = plain;
  if (watched.is_weighted && taken(plain)) base = prefix + "weighted_" + watched.metric.name();
  std::string name = base;
  for (int count = 1; taken(name); ++count) name = fmt::format("{}_{}", base, count);
  return name;
}

void Objective::name_metrics() {
  const auto report = [&](const std::string& name, const Metric& metric) {
    names_.push_back(name);
    reported_.push_back(metric);
  };
  report("loss", total_);
  for (const Watched& watched : metrics_) report(name_of(watched), watched.metric);
  for (size_t i = 0; i < each_.size(); ++i)
    if (losses_[i].defined()) report(each_[i].name(), each_[i]);
}

Tensor Objective::record(const Batch& batch) const {
  Tensors losses(losses_.size());
  for (size_t i = 0; i < losses_.size(); ++i)
    if (losses_[i].defined())
      losses[i] = losses_[i](batch.targets[i], batch.predictions[i], batch.weights[i]);
  const Tensor total = record_total(losses, batch.penalties, batch.size);
  update_metrics(batch);
  return total;
}

Tensors Objective::divisors(const Batch& part) const {
  Tensors found(losses_.size());
  for (size_t i = 0; i < losses_.size(); ++i)
    if (losses_[i].defined())
      found[i] = losses_[i].sums(part.targets[i], part.predictions[i], part.weights[i]).divisor;
  return found;
}

Tensors Objective::record_part(const Batch& part, const Tensors& divisors, int64_t samples) const {
  const double share = static_cast<double>(part.size) / static_cast<double>(samples);
  Tensors losses(losses_.size());
  for (size_t i = 0; i < losses_.size(); ++i) {
    if (!losses_[i].defined()) continue;
    const Loss::Sums sums = losses_[i].sums(part.targets[i], part.predictions[i], part.weights[i]);
    losses[i] = sums.sum;
    if (sums.divisor.defined())
      losses[i] = sums.sum * divide_no_nan(scalar(1), divisors[i]);
    else if (sums.values > 0)
      losses[i] = sums.sum * (share / sums.values);
  }
  update_metrics(part);
  return losses;
}

Tensor Objective::weighted(const Tensors& losses) const {
  Tensor total;
  for (size_t i = 0; i < losses.size(); ++i) {
    if (!losses[i].defined()) continue;
    const Tensor loss = loss_weights_[i] == 1 ? losses[i] : losses[i] * loss_weights_[i];
    total = total.defined() ? total + loss : loss;
  }
  return total;
}

Tensor Objective::record_total(const Tensors& losses, const Tensors& penalties,
                               int64_t samples) const {
  // Keras on TensorFlow does not know the size of a batch here: each counts once.
  for (size_t i = 0; i < each_.size(); ++i)
    if (losses[i].defined()) each_[i].update_state(losses[i]);
  Tensor total = weighted(losses);
  for (const Tensor& penalty : penalties) total = total.defined() ? total + penalty : penalty;
  if (!total.defined())
    throw InvalidArgument(owner_ + ": there is no loss to compute; compile with one, for " +
                          "instance .loss = \"mse\"");
  track(total_, total, samples);
  return total;
}

void Objective::update_metrics(const Batch& batch) const {
  for (const auto& [output, metric, is_weighted] : metrics_) {
    if (!batch.targets[output].defined())
      throw InvalidArgument(owner_ + ": the metric " + metric.name() + " needs a target for the " +
                            "output " + outputs_[output]);
    metric.update_state(batch.targets[output], batch.predictions[output],
                        is_weighted ? batch.weights[output] : Tensor());
  }
}

Variables Objective::variables() const {
  Variables all;
  for (const Metric& metric : reported_)
    all.insert(all.end(), metric.variables().begin(), metric.variables().end());
  return all;
}

void Objective::reset() const {
  for (const Metric& metric : reported_) metric.reset_state();
}

}  // namespace plimsoll
