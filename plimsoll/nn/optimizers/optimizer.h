// Optimizer: a shared handle to what turns gradients into new weights, with the state it keeps for
// each weight (its slots).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plimsoll/graph/place.h"
#include "plimsoll/graph/variable.h"
#include "plimsoll/nn/optimizers/schedule.h"
#include "plimsoll/ops/update/update.h"

namespace plimsoll {

// The settings that every optimizer has. At most one of the five ways to clip may be set; the last
// two are not Keras's, and a saved model does not have them.
struct OptimizerSettings {
  LearningRate learning_rate = 0.001;
  std::optional<double> weight_decay = {};
  std::optional<double> clipnorm = {};         // of each weight's gradient
  std::optional<double> clipvalue = {};        // of each element
  std::optional<double> global_clipnorm = {};  // of all gradients together
  // The gradient of each unit is at most this share of the norm of the unit's weights; 0.01 is
  // usual. See clip_units.
  std::optional<double> adaptive_clip = {};
  // All gradients together are shortened to this percentile of the norms of the last 1,024 updates;
  // 10 is usual. See clip_by_history.
  std::optional<double> clip_percentile = {};
  // Keeps a running mean of each weight: mean = momentum * mean + (1 - momentum) * weight.
  bool use_ema = false;
  double ema_momentum = 0.99;
  // The weights become their means each time this many updates are done. Unset: only
  // finalize_variable_values() does this.
  std::optional<int64_t> ema_overwrite_frequency = {};
  // scale_loss() multiplies by this, and apply_gradients() divides by it.
  std::optional<double> loss_scale_factor = {};
  // Weights change once in this many steps, by the mean of their gradients.
  std::optional<int64_t> gradient_accumulation_steps = {};
  std::string name = {};
};

class OptimizerBody {
 public:
  virtual ~OptimizerBody() = default;

  // Keras's class name: "AdamW".
  virtual std::string_view class_name() const = 0;
  // All settings, the learning rate as it is now.
  virtual void config_fields(Fields& fields) const = 0;

  // Makes the slots. The first apply_gradients does this too; if it is done earlier, the plan
  // includes them.
  void build(const Variables& weights);
  bool built() const { return built_; }
  // True if it was built for this weight.
  bool knows(const Variable& weight) const { return kept_.contains(weight.state().get()); }

  // Records one step: new weights and slots, all committed together by the next evaluation, and
  // only if every gradient is finite. An undefined gradient leaves its weight as it is; if all are
  // undefined, or a weight was not there when the optimizer was built, throws InvalidArgument.
  void apply_gradients(const Tensors& gradients, const Variables& weights);
  // The tensor to take gradients of: the loss, times loss_scale_factor if there is one.
  Tensor scale_loss(const Tensor& loss) const;
  // Call it at the end of training: with use_ema the weights become their means; otherwise it does
  // nothing.
  void finalize_variable_values();

  // Turns weight decay off for these weights, and for those whose name contains one of the texts
  // ("bias"). Call it before the first step.
  void exclude_from_weight_decay(const std::vector<std::string>& names,
                                 const Variables& weights = {});

  // Takes over the steps and the slots of an optimizer of the same kind, which must not be used any
  // more. For changed().
  void go_on_from(const OptimizerBody& other);

  const std::string& name() const { return settings_.name; }
  const OptimizerSettings& settings() const { return settings_; }
  const Variable& iterations() const { return iterations_; }  // int64 scalar
  int64_t steps_taken() const;                                // what it holds
  // A float32 scalar; undefined where a schedule decides.
  const Variable& learning_rate() const { return learning_rate_; }
  double current_learning_rate() const;
  // InvalidArgument if a schedule decides.
  void set_learning_rate(double value);
  // From now on the schedule decides.
  void set_schedule(const Schedule& schedule);
  // The bytes of state that it keeps for a weight; 0 before it is built.
  int64_t state_bytes(const Variable& weight) const;
  // All state, in Keras's order: iteration count, learning rate, means, gradient sums, slots.
  Variables variables() const;
  // State that Keras has no place for: the norms of earlier gradients, with clip_percentile. It is
  // in checkpoints and not in model files.
  Variables unsaved_variables() const;

 protected:
  OptimizerBody(std::string_view class_name, OptimizerSettings settings);

  // How far training has come at a step.
  struct Pace {
    Tensor updates;  // int64 scalar: how many updates there were
    Tensor is_due;  // float32 scalar: 1 if this step is an update, else 0. Undefined: every step is
  };

  // The names of one weight's slots, in the order in which update() takes them.
  virtual std::vector<std::string> slot_names() const = 0;
  // How many of these slots, from the first on, this weight has.
  virtual size_t slot_count(const Variable&) const { return slot_names().size(); }
  virtual Spec slot_spec(const Variable& weight, size_t) const { return weight.spec(); }
  virtual double slot_start(size_t) const { return 0; }
  // How many of the first slots variables() lists weight by weight; it lists each of the others
  // for all weights, one slot after the other, as Keras does.
  virtual size_t interleaved_slots() const { return 1; }
  // State besides the slots, listed after them.
  virtual Variables own_variables() const { return {}; }
  // A share of the weight that each update takes away, times the learning rate.
  virtual std::optional<double> weight_decay_of(const Variable&) const {
    return settings_.weight_decay;
  }
  // Puts corrections of this step into the learning rate, and the rule's scalars beside it.
  virtual void prepare(UpdateScalars&, const Pace&) {}
  virtual Updated update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                         const UpdateScalars& scalars) const = 0;
  // The learning rate as a setting: the number it is now, or the schedule.
  LearningRate learning_rate_setting() const;

 private:
  // The state that is kept for one weight.
  struct Kept {
    Variable mean = {};          // with use_ema
    Variable gradient_sum = {};  // with gradient_accumulation_steps
    Variables slots = {};        // in the order of slot_names()
    bool decays = true;
  };

  Variable add_variable(const Variable& weight, const std::string& what, const Spec& spec);
  void add_slot(const Variable& weight, size_t slot);
  Kept& kept(const Variable& weight) { return kept_.at(weight.state().get()); }
  bool is_excluded(const Variable& weight) const;
  void refuse_unknown(const Variables& weights) const;

  Pace pace() const;
  Tensor this_rate() const;
  // Each gradient, or the sum of those since the last update.
  Tensors accumulate(const Tensors& gradients, const Variables& weights, const Pace& pace);
  double gradient_share() const;
  UpdateScalars common_scalars(const Tensors& gradients, const Pace& pace);
  Tensor percentile_scale(const Tensors& gradients, const Pace& pace);
  void update_weight(const Variable& weight, const Tensor& gradient, UpdateScalars scalars,
                     const Tensor& decay);
  void follow_means(const Pace& pace);

  OptimizerSettings settings_;
  Variable iterations_, learning_rate_;
  Variable norms_, norm_count_;  // with clip_percentile: a ring, and how many were written to it
  bool built_ = false;
  Variables weights_;  // it was built for
  Variables state_;    // means, gradient sums, slots: Keras's order
  std::unordered_map<const VariableState*, Kept> kept_;
  std::vector<std::string> excluded_names_;
  Variables excluded_weights_;
};

class Optimizer {
 public:
  Optimizer() = default;
  // By Keras's name, in upper or lower case, with its defaults; InvalidArgument lists the known
  // names.
  Optimizer(const char* name) : Optimizer(std::string_view(name)) {}
  Optimizer(const std::string& name) : Optimizer(std::string_view(name)) {}
  Optimizer(std::string_view name);
  explicit Optimizer(std::shared_ptr<OptimizerBody> body) : body_(std::move(body)) {}

  bool defined() const { return body_ != nullptr; }
  // InvalidArgument if the optimizer is empty.
  void apply_gradients(const Tensors& gradients, const Variables& weights,
                       Place where = Place::here()) const;
  OptimizerBody& operator*() const { return *body_; }
  OptimizerBody* operator->() const { return body_.get(); }

 private:
  std::shared_ptr<OptimizerBody> body_;
};

}  // namespace plimsoll
