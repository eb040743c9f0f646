#include "plimsoll/nn/optimizer.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <span>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/pending.h"
#include "plimsoll/graph/scope.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/nn/layer.h"
#include "plimsoll/nn/optimizer_list.h"
#include "plimsoll/ops/elementwise.h"

namespace plimsoll {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

Optimizer by_name(std::string_view name) {
  std::string known;
  for (const OptimizerKind& kind : optimizer_list()) {
    if (lower(name) == lower(kind.class_name)) return kind.make();
    known += (known.empty() ? "" : ", ") + lower(kind.class_name);
  }
  throw InvalidArgument("optimizer: '" + std::string(name) + "' is not known (known: " + known +
                        ")");
}

void check(const OptimizerSettings& settings) {
  const auto refuse = [&](const std::string& what) {
    throw InvalidArgument(settings.name + ": " + what);
  };
  if (!std::isfinite(settings.learning_rate) || settings.learning_rate < 0)
    refuse("learning_rate must be a finite number, not negative; found " +
           std::to_string(settings.learning_rate));
  const int ways = settings.clipnorm.has_value() + settings.clipvalue.has_value() +
                   settings.global_clipnorm.has_value();
  if (ways > 1) refuse("only one of clipnorm, clipvalue and global_clipnorm can be set");
  for (const auto& limit : {settings.clipnorm, settings.clipvalue, settings.global_clipnorm})
    if (limit && !(*limit > 0))
      refuse("clipnorm, clipvalue and global_clipnorm must be above 0; found " +
             std::to_string(*limit));
}

// What the gradients are multiplied by so that their norm is `limit` at most.
Tensor norm_scale(const Tensors& gradients, double limit) {
  return limit / maximum(sqrt(sum_of_squares(gradients)), limit);
}

}  // namespace

OptimizerBody::OptimizerBody(std::string_view class_name, OptimizerSettings settings)
    : settings_(std::move(settings)) {
  if (settings_.name.empty()) settings_.name = unique_name(class_name);
  check(settings_);
  iterations_ = Variable(name() + "/iteration", {DType::int64, {}}, false);
  learning_rate_ = Variable(name() + "/learning_rate", {DType::float32, {}}, false);
  set_learning_rate(settings_.learning_rate);
}

void OptimizerBody::set_learning_rate(double value) {
  const auto rate = static_cast<float>(value);
  learning_rate_.set(std::span(&rate, 1));
}

Variables OptimizerBody::variables() const {
  Variables variables = {iterations_, learning_rate_};
  variables.insert(variables.end(), all_slots_.begin(), all_slots_.end());
  return variables;
}

void OptimizerBody::build(const Variables& weights) {
  if (built_) return refuse_unknown(weights);
  const size_t count = slot_names().size();
  const size_t together = std::min(count, interleaved_slots());
  for (const Variable& weight : weights) {
    slots_.emplace(weight.state().get(), Variables(count));
    for (size_t slot = 0; slot < together; ++slot) add_slot(weight, slot);
  }
  for (size_t slot = together; slot < count; ++slot)
    for (const Variable& weight : weights) add_slot(weight, slot);
  built_ = true;
}

void OptimizerBody::add_slot(const Variable& weight, size_t slot) {
  std::string path = weight.name();
  std::ranges::replace(path, '/', '_');
  Variable variable(name() + "/" + path + "_" + slot_names()[slot], weight.spec(), false);
  slots_.at(weight.state().get())[slot] = variable;
  all_slots_.push_back(variable);
}

void OptimizerBody::refuse_unknown(const Variables& weights) const {
  for (const Variable& weight : weights)
    if (!slots_.contains(weight.state().get()))
      throw InvalidArgument(name() + ": the weight " + weight.name() +
                            " was not there when the optimizer was built; use a new optimizer "
                            "(compile again) after weights were added or unfrozen");
}

void OptimizerBody::apply_gradients(const Tensors& gradients, const Variables& weights) {
  if (gradients.size() != weights.size())
    throw InvalidArgument(name() + ": found " + std::to_string(gradients.size()) +
                          " gradients for " + std::to_string(weights.size()) + " weights");
  if (weights.empty()) return;
  const Scope scope(name());
  build(weights);
  Tensors defined;
  for (const Tensor& gradient : gradients)
    if (gradient.defined()) defined.push_back(gradient);
  if (defined.empty())
    throw InvalidArgument(name() + ": no weight has a gradient (the loss does not depend on any)");
  gate_commit(all_finite(defined));

  UpdateScalars scalars{.learning_rate = step_size(),
                        .gradient_scale = {},
                        .weight_decay = {},
                        .clip_value = settings_.clipvalue.value_or(0)};
  if (settings_.weight_decay)
    scalars.weight_decay = learning_rate_.value() * *settings_.weight_decay;
  if (settings_.global_clipnorm)
    scalars.gradient_scale = norm_scale(defined, *settings_.global_clipnorm);
  for (size_t i = 0; i < weights.size(); ++i)
    if (gradients[i].defined()) update_weight(weights[i], gradients[i], scalars);
  iterations_.assign(iterations_.value() + 1);
  training_clock().tick();
  evaluate_if_overgrown();
}

void OptimizerBody::update_weight(const Variable& weight, const Tensor& gradient,
                                  UpdateScalars scalars) {
  if (settings_.clipnorm) scalars.gradient_scale = norm_scale({gradient}, *settings_.clipnorm);
  const Variables& slots = slots_.at(weight.state().get());
  Tensors state;
  for (const Variable& slot : slots) state.push_back(slot.value());
  const Updated updated = update(weight.value(), gradient, state, scalars);
  Variable(weight).assign(updated.weight);
  for (size_t i = 0; i < slots.size(); ++i) Variable(slots[i]).assign(updated.slots[i]);
}

Optimizer::Optimizer(std::string_view name) : Optimizer(by_name(name)) {}

void Optimizer::apply_gradients(const Tensors& gradients, const Variables& weights,
                                std::source_location where) const {
  if (!defined()) throw InvalidArgument("optimizer: empty (default-constructed)");
  const CallSite site(where);
  body_->apply_gradients(gradients, weights);
}

}  // namespace plimsoll
