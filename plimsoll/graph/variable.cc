#include "plimsoll/graph/variable.h"

#include <fmt/format.h>

#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/commits.h"
#include "plimsoll/graph/context.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/pending.h"

namespace plimsoll {
namespace {

// Sweeps what is gone, and gives this context's leaf of the current version, if it has one.
NodePtr find_leaf(VariableState& state, const Context& context) {
  NodePtr found;
  std::erase_if(state.leaves, [&](const std::weak_ptr<Node>& entry) {
    NodePtr leaf = entry.lock();
    if (leaf == nullptr) return true;
    if (leaf->context != &context) return false;
    const bool is_current = leaf->variable_version == state.version;
    if (is_current) found = std::move(leaf);
    return !is_current;
  });
  return found;
}

}  // namespace

Variable::Variable(std::string name, const Spec& spec, bool trainable)
    : state_(std::make_shared<VariableState>(std::move(name), spec)) {
  state_->trainable = trainable;
}

Tensor Variable::value(Place where) const {
  Commits::wait_for(*state_);
  const std::lock_guard lock(state_->mutex);
  if (state_->pending.node != nullptr) {
    Node& assigned = *state_->pending.node;
    const bool is_free = assigned.variable_id == 0 && state_->pending.output == 0;
    if (is_free && assigned.context->is_current()) assigned.variable_id = state_->id;
    return Tensor(state_->pending);
  }
  NodePtr leaf = find_leaf(*state_, Context::current());
  if (leaf == nullptr) {
    leaf = std::make_shared<Node>(nullptr, std::vector<Value>{}, Specs{state_->spec}, where);
    leaf->variable = state_;
    leaf->variable_version = state_->version;
    leaf->variable_id = state_->id;
    state_->leaves.push_back(leaf);
  }
  return Tensor({std::move(leaf), 0});
}

void Variable::assign(const Tensor& value) {
  if (value.spec() != spec())
    throw InvalidArgument("assign: variable " + name() + " is " + spec().to_string() +
                          ", found a value of " + value.spec().to_string());
  Value own = recordable(value.value());
  Context& context = Context::current();
  Commits::wait_for(*state_);
  std::unique_lock lock(state_->mutex);
  if (state_->pending_in != nullptr && state_->pending_in.get() != &context) {
    lock.unlock();
    commit_pending();
    lock.lock();
  }
  std::swap(state_->pending, own);  // what it replaces is freed after the lock
  if (state_->pending_in != nullptr) return;
  state_->pending_in = context.shared_from_this();
  const std::lock_guard list_lock(context.mutex);
  context.assigned.push_back(state_);
}

void Variable::commit_pending() const {
  Commits::wait_for(*state_);
  std::shared_ptr<Context> context;
  {
    const std::lock_guard lock(state_->mutex);
    context = state_->pending_in;
  }
  if (context != nullptr) commit_assignments(*context);
}

void Variable::set_bytes(std::span<const std::byte> bytes) {
  if (static_cast<int64_t>(bytes.size()) != spec().bytes())
    throw InvalidArgument(fmt::format("variable {}: expected {} bytes for {}, found {}", name(),
                                      spec().bytes(), spec().to_string(), bytes.size()));
  fill([&](std::span<std::byte> into) {
    if (!bytes.empty()) std::memcpy(into.data(), bytes.data(), bytes.size());
  });
}

void Variable::fill(const std::function<void(std::span<std::byte>)>& write) {
  commit_pending();
  settle_readers(*state_);
  ++state_->version;
  state_->storage.touch();
  write({state_->storage.data(), static_cast<size_t>(spec().bytes())});
}

void Variable::set(std::span<const float> values) {
  if (spec().dtype != DType::float32)
    throw InvalidArgument("variable " + name() + ": is " + spec().to_string() +
                          ", cannot be set from float32 values");
  set_bytes(std::as_bytes(values));
}

std::byte* Variable::data() const {
  commit_pending();
  return state_->storage.data();
}

}  // namespace plimsoll
