#include "plimsoll/graph/node.h"

#include <mutex>
#include <utility>

#include "plimsoll/graph/scope.h"

namespace plimsoll {
namespace {

// Frees a chain of nodes without recursion, however long it is: nodes that go meanwhile leave their
// edges in the queue of the first.
void release(std::vector<Value>&& edges) {
  static constinit thread_local std::vector<Value>* draining = nullptr;
  if (draining != nullptr) {
    for (Value& edge : edges) draining->push_back(std::move(edge));
    edges.clear();
    return;
  }
  std::vector<Value> queue = std::move(edges);
  draining = &queue;
  while (!queue.empty()) {
    const Value edge = std::move(queue.back());
    queue.pop_back();
  }
  draining = nullptr;
}

}  // namespace

Node::Node(std::shared_ptr<const Op> op_in, std::vector<Value> inputs_in, Specs specs_in,
           Place where_in)
    : context(&Context::current()),
      op(std::move(op_in)),
      inputs(std::move(inputs_in)),
      specs(std::move(specs_in)),
      where(Scope::locate(where_in)),
      scope(Scope::current()),
      gradient_of(Scope::gradient_of()) {
  for (const Value& input : inputs) symbolic |= input.node->symbolic;
  const std::lock_guard lock(context->mutex);
  next = context->nodes;
  if (next != nullptr) next->previous = this;
  context->nodes = this;
  ++context->node_count;
  number = ++context->last_number;
  if (is_pending()) ++context->op_count;
}

Node::~Node() {
  std::shared_ptr<Context> last;
  {
    const std::lock_guard lock(context->mutex);
    (previous == nullptr ? context->nodes : previous->next) = next;
    if (next != nullptr) next->previous = previous;
    --context->node_count;
    if (is_pending()) --context->op_count;
    if (context->node_count == 0 && !context->has_thread) last = std::move(context->self);
  }
  if (!inputs.empty()) release(std::move(inputs));
  if (!masks.empty()) release(std::move(masks));
}

void Node::set_values(std::vector<StoragePtr> computed) {
  const std::lock_guard lock(context->mutex);
  if (is_pending()) --context->op_count;
  values = std::move(computed);
  is_evaluated_.store(true, std::memory_order_release);
}

void Node::drop_history() {
  op.reset();
  variable.reset();
  release(std::move(inputs));
}

}  // namespace plimsoll
