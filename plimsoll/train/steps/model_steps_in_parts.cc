// Batches that run in parts: what ModelSteps records and compiles for them.
#include <algorithm>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/pending.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/reduction/reduction.h"
#include "plimsoll/ops/update/update.h"
#include "plimsoll/train/steps/model_steps.h"

namespace plimsoll {
namespace {

// PartPlace, as a step takes it.
struct PartInputs {
  Tensor first = placeholder({DType::int64, {}});
  Tensor is_first = placeholder({DType::boolean, {}});

  Tensors added_to(Tensors fields) const {
    fields.push_back(first);
    fields.push_back(is_first);
    return fields;
  }
};

Tensor total(const Tensors& tensors) {
  Tensor sum = tensors[0];
  for (size_t i = 1; i < tensors.size(); ++i) sum = sum + tensors[i];
  return sum;
}

}  // namespace

BatchStep ModelSteps::compile_in_parts(StepKind kind, const RecordFields& fields,
                                       const PartSizes& sizes) {
  BatchStep step{sizes, {}};
  const auto add = [&](int64_t samples, StepPtr& divisors, StepPtr& part) {
    divisors = compile_divisors(kind, fields, samples);
    part = compile_recorded([&] { return record_part(kind, fields, samples, sizes.batch); });
  };
  add(sizes.large, step.divisors.large, step.parts.large);
  if (!sizes.is_even()) add(sizes.large - 1, step.divisors.small, step.parts.small);
  step.end = compile_recorded([&] { return record_end(kind, sizes.batch); });
  return step;
}

StepPtr ModelSteps::compile_divisors(StepKind kind, const RecordFields& fields, int64_t samples) {
  bool is_needed = false;
  StepPtr step = compile_recorded([&] {
    const PartInputs place;
    const PartOfBatch part(place.first);
    const Forward forwarded = forward(kind, fields, samples);
    const Tensors divisors = objective().divisors(forwarded.batch);
    take_step({}, {});  // what the network assigns is not for this step
    is_needed = std::ranges::any_of(divisors, [](const Tensor& it) { return it.defined(); });
    PartSums::add(sums_.divisors, divisors, place.is_first, "divisor");
    return take_step(place.added_to(forwarded.inputs), {});
  });
  return is_needed ? step : nullptr;
}

StepGraph ModelSteps::record_part(StepKind kind, const RecordFields& fields, int64_t samples,
                                  int64_t batch) {
  const PartInputs place;
  const PartOfBatch part(place.first);
  const Forward forwarded = forward(kind, fields, samples);
  const Tensors losses =
      objective().record_part(forwarded.batch, PartSums::values(sums_.divisors), batch);
  PartSums::add(sums_.losses, losses, place.is_first, "loss");
  Tensor loss = objective().weighted(losses);
  if (!forwarded.batch.penalties.empty()) {
    // Each is divided by the samples of the part.
    const Tensor activity = total(forwarded.batch.penalties) *
                            (static_cast<double>(samples) / static_cast<double>(batch));
    sums_.activity.add(activity, place.is_first, "activity");
    loss = loss.defined() ? loss + activity : activity;
  }
  if (kind == StepKind::train && loss.defined()) add_gradients(loss, place.is_first);
  return take_step(place.added_to(forwarded.inputs), {});
}

// What the network, the metrics and the optimizer assign is not for this step. Each gradient has a
// gate of its own, so that they need not be kept together.
StepGraph ModelSteps::record_probe(const RecordFields& fields, int64_t samples) {
  const PartInputs place;
  const PartOfBatch part(place.first);
  Forward forwarded = forward(StepKind::train, fields, samples);
  Tensors& penalties = forwarded.batch.penalties;
  for (const Tensor& of_weights : network_->losses()) penalties.push_back(of_weights);
  const Tensor loss = objective().record(forwarded.batch);
  const Tensors found = gradients_of(loss, trained_weights());
  take_step({}, {});
  gate_commit(all_finite({loss}));
  for (const Tensor& gradient : found)
    if (gradient.defined()) gate_commit(all_finite({gradient}));
  return take_step(place.added_to(forwarded.inputs), {});
}

StepPtr ModelSteps::compile_probe(const RecordFields& fields, int64_t samples, Probe probe,
                                  std::optional<int64_t> arena_budget) {
  StepOptions options = step_options();
  options.early_updates = false;
  options.as_recorded = probe == Probe::as_recorded;
  if (arena_budget) options.arena_budget = arena_budget;
  return compile_recorded([&] { return record_probe(fields, samples); }, options);
}

void ModelSteps::add_gradients(const Tensor& loss, const Tensor& is_first) {
  const Variables weights = trained_weights();
  std::vector<uint64_t> ids;
  for (const Variable& weight : weights) ids.push_back(weight.state()->id);
  if (std::exchange(summed_weights_, ids) != ids) sums_.gradients.clear();
  gate_commit(all_finite({loss}));
  PartSums::add(sums_.gradients, gradients_of(loss, weights), is_first, "gradient");
}

// Regularisation of weights is added once.
StepGraph ModelSteps::record_end(StepKind kind, int64_t batch) {
  const Tensors of_weights = network_->losses();
  Tensors penalties = of_weights;
  if (const Tensor activity = sums_.activity.value(); activity.defined())
    penalties.push_back(activity);
  const Tensor loss = objective().record_total(PartSums::values(sums_.losses), penalties, batch);
  if (kind != StepKind::train) return take_step({}, {});
  gate_commit(all_finite({loss}));
  const Variables weights = trained_weights();
  Tensors totals = PartSums::values(sums_.gradients);
  totals.resize(weights.size());
  if (!of_weights.empty()) {
    const Tensors added = gradients_of(total(of_weights), weights);
    for (size_t i = 0; i < totals.size(); ++i)
      if (added[i].defined()) totals[i] = totals[i].defined() ? totals[i] + added[i] : added[i];
  }
  apply_gradients(totals, weights);
  return take_step({}, {});
}

Tensors ModelSteps::sums_of(StepKind kind, const Objective::Batch& batch) {
  Tensors sums = batch.penalties;
  if (kind == StepKind::predict) {
    for (const Tensor& prediction : batch.predictions) sums.push_back(sum(prediction));
    return sums;
  }
  const Tensors shares = objective().divisors(batch);
  Tensors divisors;
  for (const Tensor& share : shares)
    divisors.push_back(share.defined() ? placeholder(share.spec()) : Tensor());
  for (const Tensors& some : {shares, objective().record_part(batch, divisors, kProbeBatch)})
    for (const Tensor& sum : some)
      if (sum.defined()) sums.push_back(sum);
  return sums;
}

std::optional<std::string> ModelSteps::find_bar(StepKind kind, const RecordFields& fields,
                                                BatchStatistics statistics) {
  const PartInputs place;
  const PartOfBatch part(place.first);
  const Forward forwarded = forward(kind, fields, kProbeBatch);
  const bool keeps_state = Context::current().has_assignments();
  const Tensors sums = sums_of(kind, forwarded.batch);
  if (const auto mixing = find_mixing(sums, statistics))
    return (mixing->layer.empty() ? "" : mixing->layer + ": ") + mixing->op +
           " mixes the samples of a batch";
  if (keeps_state && statistics == BatchStatistics::mix)
    return "a layer keeps state from one batch to the next";
  return std::nullopt;
}

std::optional<std::string> ModelSteps::bars_parts(StepKind kind, const RecordFields& fields,
                                                  BatchStatistics statistics) {
  std::optional<std::string> reason;
  try {
    reason = find_bar(kind, fields, statistics);
  } catch (const InvalidArgument& error) {
    reason = error.what();
  }
  take_step({}, {});
  return reason;
}

}  // namespace plimsoll
