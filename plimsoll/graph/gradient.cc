#include "plimsoll/graph/gradient.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/graph/pending.h"
#include "plimsoll/graph/scope.h"
#include "plimsoll/graph/traverse.h"

namespace plimsoll {
namespace {

// The gradients that have arrived at each output of each node so far.
class Accumulator {
 public:
  void add(const Value& value, const Tensor& gradient) {
    Tensors& slots = slots_of(*value.node);
    Tensor& slot = slots[static_cast<size_t>(value.output)];
    if (gradient.shape() != value.node->spec(value.output).shape)
      throw Error("gradient: shape " + gradient.shape().to_string() + " for a value of shape " +
                  value.node->spec(value.output).shape.to_string());
    slot = slot.defined() ? add_gradients(slot, gradient) : gradient;
  }
  const Tensors* find(const Node& node) const {
    const auto found = slots_.find(&node);
    return found == slots_.end() ? nullptr : &found->second;
  }
  Tensor find(const Value& value) const {
    const Tensors* slots = find(*value.node);
    return slots == nullptr ? Tensor() : (*slots)[static_cast<size_t>(value.output)];
  }

 private:
  Tensors& slots_of(const Node& node) {
    Tensors& slots = slots_[&node];
    slots.resize(node.specs.size());
    return slots;
  }
  std::unordered_map<const Node*, Tensors> slots_;
};

// What gradients are asked for: a value, or the values of a variable.
struct GradientSource {
  Value value;
  uint64_t variable_id = 0;

  bool is_at(const Node& node) const {
    return &node == value.node.get() || (variable_id != 0 && node.variable_id == variable_id);
  }
};

// One walk back from targets to sources.
class Backward {
 public:
  // `tape`: gradients flow only through what it recorded; null: through everything.
  Backward(std::span<const Tensor> targets, std::span<const GradientSource> sources,
           const TapeRanges* tape)
      : sources_(sources), tape_(tape) {
    std::vector<Value> roots;
    for (const Tensor& target : targets) roots.push_back(target.value());
    order_ = topological_order(roots, Follow::history);
    mark();
  }

  void add(const Value& value, const Tensor& gradient) { accumulator_.add(value, gradient); }

  void run() {
    for (auto node = order_.rbegin(); node != order_.rend(); ++node)
      if (marked_.contains(node->get())) propagate(**node);
  }

  // Of a variable: with respect to its current value, else to all values that it had.
  Tensor found(const GradientSource& source) const {
    Tensor sum = accumulator_.find(source.value);
    if (sum.defined() || source.variable_id == 0) return sum;
    for (const NodePtr& node : order_) {
      if (!source.is_at(*node)) continue;
      const Tensor part = accumulator_.find({node, 0});
      if (part.defined()) sum = sum.defined() ? add_gradients(sum, part) : part;
    }
    return sum;
  }

 private:
  bool has_gradient(const Node& node) const {
    return node.shows_history() && node.op != nullptr &&
           (tape_ == nullptr || tape_->contains(node.number));
  }

  // The nodes through which a source reaches a target.
  void mark() {
    std::unordered_set<const Node*> values;
    for (const GradientSource& source : sources_) {
      values.insert(source.value.node.get());
      if (source.variable_id != 0) variables_.insert(source.variable_id);
    }
    const auto is_marked = [&](const Value& input) { return marked_.contains(input.node.get()); };
    for (const NodePtr& node : order_)
      if (values.contains(node.get()) || variables_.contains(node->variable_id) ||
          (has_gradient(*node) && std::ranges::any_of(node->inputs, is_marked)))
        marked_.insert(node.get());
  }

  // Nothing flows on through what was assigned to a variable that is asked for: as in TensorFlow, a
  // variable does not depend on what it was.
  void propagate(const Node& node) {
    const Tensors* arrived = accumulator_.find(node);
    if (arrived == nullptr || !has_gradient(node) || variables_.contains(node.variable_id)) return;
    const Scope scope(node.scope, node.where, node.op->name());
    const Tensors parts = node.op->gradient(node, *arrived);
    for (size_t i = 0; i < parts.size() && i < node.inputs.size(); ++i)
      if (parts[i].defined() && marked_.contains(node.inputs[i].node.get()))
        accumulator_.add(node.inputs[i], parts[i]);
  }

  std::span<const GradientSource> sources_;
  const TapeRanges* tape_;
  std::vector<NodePtr> order_;
  std::unordered_set<uint64_t> variables_;  // that are asked for
  std::unordered_set<const Node*> marked_;
  Accumulator accumulator_;
};

// What the gradient of a target starts with.
Tensor checked_seed(const Tensor& target, const Tensor& seed) {
  if (target.dtype() != DType::float32)
    throw InvalidArgument("gradient: the target is " + target.spec().to_string() +
                          ", expected float32");
  if (!seed.defined()) return ones_like(target);
  if (seed.spec() != target.spec())
    throw InvalidArgument("gradient: the target is " + target.spec().to_string() +
                          ", its output gradient is " + seed.spec().to_string());
  return seed;
}

Tensors gradients_of(std::span<const Tensor> targets, std::span<const GradientSource> sources,
                     std::span<const Tensor> seeds, const TapeRanges* tape) {
  if (!seeds.empty() && seeds.size() != targets.size())
    throw InvalidArgument(
        fmt::format("gradient: expected an output gradient for each of {} targets, "
                    "found {}",
                    targets.size(), seeds.size()));
  Tensors starts;
  for (size_t i = 0; i < targets.size(); ++i)
    starts.push_back(checked_seed(targets[i], seeds.empty() ? Tensor() : seeds[i]));
  Backward backward(targets, sources, tape);
  for (size_t i = 0; i < targets.size(); ++i) backward.add(targets[i].value(), starts[i]);
  backward.run();
  Tensors result;
  for (const GradientSource& source : sources) result.push_back(backward.found(source));
  return result;
}

std::vector<GradientSource> values_of(std::span<const Tensor> tensors) {
  std::vector<GradientSource> sources;
  for (const Tensor& tensor : tensors) {
    if (!tensor.defined()) throw InvalidArgument("gradient: a source is empty");
    sources.push_back({tensor.value()});
  }
  return sources;
}

}  // namespace

Tensors gradients(const Tensor& target, std::span<const Tensor> sources, const Tensor& seed) {
  return gradients_of(std::span(&target, 1), values_of(sources), std::span(&seed, 1), nullptr);
}

struct GradientTape::State {
  std::shared_ptr<Context> context;
  bool is_persistent = false;
  bool is_used = false;
  TapeRanges recorded = {};  // guarded by the context's mutex
};

GradientTape::GradientTape(const TapeOptions& options) {
  Context& context = Context::current();
  if (!context.is_recording() && context.has_assignments()) evaluate({});
  state_ = std::make_unique<State>(State{context.shared_from_this(), options.persistent});
  start();
  const std::lock_guard lock(context.mutex);
  context.tapes.push_back(&state_->recorded);
}

GradientTape::~GradientTape() {
  end();
}

void GradientTape::start() const {
  const std::lock_guard lock(state_->context->mutex);
  if (!state_->recorded.is_recording() && !state_->is_used)
    state_->recorded.ranges.push_back({state_->context->last_number + 1, TapeRanges::kOpen});
}

void GradientTape::stop() const {
  const std::lock_guard lock(state_->context->mutex);
  if (state_->recorded.is_recording())
    state_->recorded.ranges.back().end = state_->context->last_number + 1;
}

bool GradientTape::is_open() const {
  const std::lock_guard lock(state_->context->mutex);
  return state_->recorded.is_recording();
}

void GradientTape::end() const {
  stop();
  Context& context = *state_->context;
  {
    const std::lock_guard lock(context.mutex);
    if (std::erase(context.tapes, &state_->recorded) == 0) return;
  }
  if (!context.is_current()) {
    context.has_late_values = true;
    return;
  }
  const std::lock_guard lock(context.evaluating);
  drop_histories(context);
}

template <class Sources>
Tensors GradientTape::ask(std::span<const Tensor> targets, const Sources& sources,
                          std::span<const Tensor> output_gradients) const {
  if (!state_->context->is_current())
    throw InvalidArgument("gradient: the tape was recorded on another thread");
  if (state_->is_used)
    throw InvalidArgument(
        "gradient: the tape was asked for gradients already; make it persistent to ask again");
  if (state_->is_persistent)
    return gradients_of(targets, sources, output_gradients, &state_->recorded);
  stop();
  const Tensors found = gradients_of(targets, sources, output_gradients, &state_->recorded);
  state_->is_used = true;
  end();
  return found;
}

Tensors GradientTape::gradient(std::span<const Tensor> targets, std::span<const Tensor> sources,
                               std::span<const Tensor> output_gradients) const {
  return ask(targets, values_of(sources), output_gradients);
}

Tensors GradientTape::gradient(std::span<const Tensor> targets, std::span<const Variable> variables,
                               std::span<const Tensor> output_gradients) const {
  std::vector<GradientSource> sources;
  for (const Variable& variable : variables)
    sources.push_back({variable.value().value(), variable.state()->id});
  return ask(targets, sources, output_gradients);
}

bool GradientTape::recording() {
  return Context::current().is_recording();
}

}  // namespace plimsoll
