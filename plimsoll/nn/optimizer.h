// Optimizer: a shared handle to what turns gradients into new weights, with the state it keeps for
// each weight (its slots).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plimsoll/graph/variable.h"
#include "plimsoll/ops/update.h"

namespace plimsoll {

// What every optimizer has; at most one of the three ways to clip may be set.
struct OptimizerSettings {
  double learning_rate = 0.001;
  std::optional<double> weight_decay = {};
  std::optional<double> clipnorm = {};         // of each weight's gradient
  std::optional<double> clipvalue = {};        // of each element
  std::optional<double> global_clipnorm = {};  // of all gradients together
  std::string name = {};
};

class OptimizerBody {
 public:
  virtual ~OptimizerBody() = default;

  // Keras's class name: "AdamW".
  virtual std::string_view class_name() const = 0;

  // Makes the slots. The first apply_gradients does it too; done before, they are in the plan.
  void build(const Variables& weights);
  bool built() const { return built_; }

  // Records one step: new weights and slots, all committed together by the next evaluation, and
  // only if every gradient is finite. An undefined gradient leaves its weight as it is; if all are
  // undefined, or a weight was not there when the optimizer was built, throws InvalidArgument.
  void apply_gradients(const Tensors& gradients, const Variables& weights);

  const std::string& name() const { return settings_.name; }
  const OptimizerSettings& settings() const { return settings_; }
  const Variable& iterations() const { return iterations_; }        // int64 scalar
  const Variable& learning_rate() const { return learning_rate_; }  // float32 scalar
  void set_learning_rate(double value);
  // Iteration count, learning rate and slots, in Keras's order.
  Variables variables() const;

 protected:
  OptimizerBody(std::string_view class_name, OptimizerSettings settings);

  // The names of one weight's slots, in the order in which update() takes them.
  virtual std::vector<std::string> slot_names() const = 0;
  // How many of the first slots variables() lists weight by weight; it lists each of the others
  // for all weights, one slot after the other, as Keras does.
  virtual size_t interleaved_slots() const { return 1; }
  // The learning rate of this step, corrections included.
  virtual Tensor step_size() const { return learning_rate_.value(); }
  virtual Updated update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                         const UpdateScalars& scalars) const = 0;

 private:
  void add_slot(const Variable& weight, size_t slot);
  void refuse_unknown(const Variables& weights) const;
  void update_weight(const Variable& weight, const Tensor& gradient, UpdateScalars scalars);

  OptimizerSettings settings_;
  Variable iterations_, learning_rate_;
  bool built_ = false;
  Variables all_slots_;                                        // Keras's order
  std::unordered_map<const VariableState*, Variables> slots_;  // in the order of slot_names()
};

class Optimizer {
 public:
  Optimizer() = default;
  // By Keras's name, in upper or lower case, with its defaults; InvalidArgument lists the known.
  Optimizer(const char* name) : Optimizer(std::string_view(name)) {}
  Optimizer(const std::string& name) : Optimizer(std::string_view(name)) {}
  Optimizer(std::string_view name);
  explicit Optimizer(std::shared_ptr<OptimizerBody> body) : body_(std::move(body)) {}

  bool defined() const { return body_ != nullptr; }
  // InvalidArgument where the optimizer is empty.
  void apply_gradients(const Tensors& gradients, const Variables& weights,
                       std::source_location where = std::source_location::current()) const;
  OptimizerBody& operator*() const { return *body_; }
  OptimizerBody* operator->() const { return body_.get(); }

 private:
  std::shared_ptr<OptimizerBody> body_;
};

}  // namespace plimsoll
