#include "plimsoll/graph/variable.h"

#include <atomic>
#include <cstring>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/initial_values.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/pending.h"

namespace plimsoll {
namespace {

uint64_t next_id() {
  static std::atomic<uint64_t> last = 0;
  return ++last;
}

}  // namespace

VariableState::VariableState(std::string name_in, const Spec& spec_in)
    : name(std::move(name_in)), spec(spec_in), storage(spec_in.bytes()), id(next_id()) {
  if (!WithoutInitialValues::is_open()) storage.touch();
}

Variable::Variable(std::string name, const Spec& spec, bool trainable)
    : state_(std::make_shared<VariableState>(std::move(name), spec)) {
  state_->trainable = trainable;
}

Tensor Variable::value(Place where) const {
  if (state_->pending.node != nullptr) return Tensor(state_->pending);
  NodePtr leaf = state_->leaf.lock();
  if (leaf == nullptr || leaf->variable_version != state_->version) {
    leaf = std::make_shared<Node>(nullptr, std::vector<Value>{}, Specs{state_->spec}, where);
    leaf->variable = state_;
    leaf->variable_version = state_->version;
    state_->leaf = leaf;
  }
  return Tensor({std::move(leaf), 0});
}

void Variable::assign(const Tensor& value) {
  if (value.spec() != spec())
    throw InvalidArgument("assign: variable " + name() + " is " + spec().to_string() +
                          ", found a value of " + value.spec().to_string());
  if (state_->pending.node == nullptr) pending_work().assigned.push_back(state_);
  state_->pending = value.value();
}

void Variable::set_bytes(std::span<const std::byte> bytes) {
  if (static_cast<int64_t>(bytes.size()) != spec().bytes())
    throw InvalidArgument("variable " + name() + ": expected " + std::to_string(spec().bytes()) +
                          " bytes for " + spec().to_string() + ", found " +
                          std::to_string(bytes.size()));
  fill([&](std::span<std::byte> into) {
    if (!bytes.empty()) std::memcpy(into.data(), bytes.data(), bytes.size());
  });
}

void Variable::fill(const std::function<void(std::span<std::byte>)>& write) {
  if (state_->pending.node != nullptr) evaluate({});
  settle_readers(*state_);
  ++state_->version;
  write({state_->storage.data(), static_cast<size_t>(spec().bytes())});
}

void Variable::set(std::span<const float> values) {
  if (spec().dtype != DType::float32)
    throw InvalidArgument("variable " + name() + ": is " + spec().to_string() +
                          ", cannot be set from float32 values");
  set_bytes(std::as_bytes(values));
}

std::byte* Variable::data() const {
  if (state_->pending.node != nullptr) evaluate({});
  return state_->storage.data();
}

}  // namespace plimsoll
