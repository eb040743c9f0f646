#include "plimsoll/nn/optimizers/optimizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/initial_values.h"
#include "plimsoll/graph/scope.h"
#include "plimsoll/nn/layers/layer.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {
namespace {

constexpr int64_t kKeptNorms = 1024;

void check_clipping(const OptimizerSettings& settings) {
  const auto limits = {settings.clipnorm, settings.clipvalue, settings.global_clipnorm,
                       settings.adaptive_clip, settings.clip_percentile};
  if (std::ranges::count_if(limits, [](const auto& limit) { return limit.has_value(); }) > 1)
    throw InvalidArgument(settings.name +
                          ": only one of clipnorm, clipvalue, global_clipnorm, adaptive_clip and "
                          "clip_percentile can be set");
  for (const auto& limit : limits)
    if (limit && !(*limit > 0))
      throw InvalidArgument(
          fmt::format("{}: clipnorm, clipvalue, global_clipnorm, adaptive_clip and "
                      "clip_percentile must be above 0; found {}",
                      settings.name, *limit));
  if (settings.clip_percentile.value_or(1) > 100)
    throw InvalidArgument(fmt::format("{}: clip_percentile must be at most 100, found {}",
                                      settings.name, *settings.clip_percentile));
}

void check(const OptimizerSettings& settings) {
  const auto refuse = [&](const std::string& what, double found) {
    throw InvalidArgument(fmt::format("{}: {}{}", settings.name, what, found));
  };
  const double rate = settings.learning_rate.number();
  if (!std::isfinite(rate) || rate < 0)
    refuse("learning_rate must be a finite number, not negative; found ", rate);
  check_clipping(settings);
  if (!(settings.ema_momentum >= 0 && settings.ema_momentum <= 1))
    refuse("ema_momentum must be between 0 and 1, found ", settings.ema_momentum);
  if (settings.ema_overwrite_frequency.value_or(1) < 1)
    throw InvalidArgument(fmt::format("{}: ema_overwrite_frequency must be 1 or more, found {}",
                                      settings.name, *settings.ema_overwrite_frequency));
  if (settings.gradient_accumulation_steps.value_or(2) < 2)
    throw InvalidArgument(fmt::format("{}: gradient_accumulation_steps must be 2 or more, found {}",
                                      settings.name, *settings.gradient_accumulation_steps));
  if (settings.loss_scale_factor && !(*settings.loss_scale_factor > 0))
    refuse("loss_scale_factor must be above 0, found ", *settings.loss_scale_factor);
}

// "kernel" of "dense/kernel".
std::string_view last_part(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

OptimizerBody::OptimizerBody(std::string_view class_name, OptimizerSettings settings)
    : settings_(std::move(settings)) {
  if (settings_.name.empty()) settings_.name = unique_name(class_name);
  check(settings_);
  iterations_ = Variable(name() + "/iteration", {DType::int64, {}}, false);
  if (settings_.clip_percentile) {
    norms_ = Variable(name() + "/norms", {DType::float32, {kKeptNorms}}, false);
    norm_count_ = Variable(name() + "/norm_count", {DType::int64, {}}, false);
  }
  if (settings_.learning_rate.is_schedule()) return;
  learning_rate_ = Variable(name() + "/learning_rate", {DType::float32, {}}, false);
  set_learning_rate(settings_.learning_rate.number());
}

void OptimizerBody::set_schedule(const Schedule& schedule) {
  settings_.learning_rate = schedule;
  learning_rate_ = {};
}

void OptimizerBody::set_learning_rate(double value) {
  if (!learning_rate_.defined())
    throw InvalidArgument(name() +
                          ": a schedule decides its learning rate; to set it, make the optimizer "
                          "with a number");
  const auto rate = static_cast<float>(value);
  learning_rate_.set(std::span(&rate, 1));
}

double OptimizerBody::current_learning_rate() const {
  return this_rate().item();
}

LearningRate OptimizerBody::learning_rate_setting() const {
  return learning_rate_.defined() ? LearningRate(current_learning_rate()) : settings_.learning_rate;
}

Variables OptimizerBody::variables() const {
  Variables variables = {iterations_};
  if (learning_rate_.defined()) variables.push_back(learning_rate_);
  variables.insert(variables.end(), state_.begin(), state_.end());
  // Like the slots, these exist from the first step on.
  if (built_)
    for (const Variable& own : own_variables()) variables.push_back(own);
  return variables;
}

Variables OptimizerBody::unsaved_variables() const {
  return norms_.defined() ? Variables{norms_, norm_count_} : Variables{};
}

int64_t OptimizerBody::state_bytes(const Variable& weight) const {
  const auto found = kept_.find(weight.state().get());
  if (found == kept_.end()) return 0;
  const auto& [mean, gradient_sum, slots, decays] = found->second;
  int64_t bytes = mean.defined() ? mean.spec().bytes() : 0;
  if (gradient_sum.defined()) bytes += gradient_sum.spec().bytes();
  for (const Variable& slot : slots) bytes += slot.spec().bytes();
  return bytes;
}

void OptimizerBody::build(const Variables& weights) {
  if (built_) return refuse_unknown(weights);
  weights_ = weights;
  const size_t count = slot_names().size();
  const size_t together = std::min(count, interleaved_slots());
  for (const Variable& weight : weights)
    kept_[weight.state().get()] = {.slots = Variables(slot_count(weight)),
                                   .decays = !is_excluded(weight)};
  for (const Variable& weight : weights)
    if (settings_.use_ema) kept(weight).mean = add_variable(weight, "average", weight.spec());
  for (const Variable& weight : weights)
    if (settings_.gradient_accumulation_steps)
      kept(weight).gradient_sum = add_variable(weight, "gradient_accumulator", weight.spec());
  for (const Variable& weight : weights)
    for (size_t slot = 0; slot < together; ++slot) add_slot(weight, slot);
  for (size_t slot = together; slot < count; ++slot)
    for (const Variable& weight : weights) add_slot(weight, slot);
  built_ = true;
}

Variable OptimizerBody::add_variable(const Variable& weight, const std::string& what,
                                     const Spec& spec) {
  std::string path = weight.name();
  std::ranges::replace(path, '/', '_');
  state_.emplace_back(name() + "/" + path + "_" + what, spec, false);
  return state_.back();
}

void OptimizerBody::add_slot(const Variable& weight, size_t slot) {
  if (slot >= slot_count(weight)) return;
  Variable variable = add_variable(weight, slot_names()[slot], slot_spec(weight, slot));
  kept(weight).slots[slot] = variable;
  const auto start = static_cast<float>(slot_start(slot));
  if (start == 0) return;
  fill_initially([variable, start]() mutable {
    variable.set(std::vector<float>(static_cast<size_t>(variable.shape().elements()), start));
  });
}

void OptimizerBody::go_on_from(const OptimizerBody& other) {
  iterations_ = other.iterations_;
  if (norms_.defined() && other.norms_.defined()) {
    norms_ = other.norms_;
    norm_count_ = other.norm_count_;
  }
  built_ = other.built_;
  weights_ = other.weights_;
  state_ = other.state_;
  kept_ = other.kept_;
  excluded_names_ = other.excluded_names_;
  excluded_weights_ = other.excluded_weights_;
}

int64_t OptimizerBody::steps_taken() const {
  int64_t steps = 0;
  std::memcpy(&steps, iterations_.data(), sizeof steps);
  return steps;
}

void OptimizerBody::exclude_from_weight_decay(const std::vector<std::string>& names,
                                              const Variables& weights) {
  if (built_)
    throw InvalidArgument(name() + ": exclude_from_weight_decay must come before the first step");
  excluded_names_ = names;
  excluded_weights_ = weights;
}

bool OptimizerBody::is_excluded(const Variable& weight) const {
  const std::string_view own_name = last_part(weight.name());
  const auto is_in_name = [&](const std::string& text) {
    return own_name.find(text) != std::string_view::npos;
  };
  return std::ranges::any_of(excluded_names_, is_in_name) ||
         std::ranges::find(excluded_weights_, weight) != excluded_weights_.end();
}

void OptimizerBody::refuse_unknown(const Variables& weights) const {
  for (const Variable& weight : weights)
    if (!kept_.contains(weight.state().get()))
      throw InvalidArgument(name() + ": the weight " + weight.name() +
                            " did not exist when the optimizer was built; use a new optimizer "
                            "(compile again) after weights were added or unfrozen");
}

void OptimizerBody::finalize_variable_values() {
  if (!settings_.use_ema) return;
  for (Variable weight : weights_) {
    const Variable& mean = kept(weight).mean;
    weight.set_bytes({mean.data(), static_cast<size_t>(mean.spec().bytes())});
  }
}

void Optimizer::apply_gradients(const Tensors& gradients, const Variables& weights,
                                Place where) const {
  if (!defined()) throw InvalidArgument("optimizer: empty (default-constructed)");
  const CallSite site(where);
  body_->apply_gradients(gradients, weights);
}

}  // namespace plimsoll
