#include "plimsoll/graph/node.h"

#include <utility>

#include "plimsoll/graph/pending.h"
#include "plimsoll/graph/scope.h"

namespace plimsoll {
namespace {

// Frees a chain of nodes without recursion, however long it is.
void release(std::vector<Value>&& edges) {
  thread_local std::vector<Value> queue;
  thread_local bool draining = false;
  for (Value& edge : edges) queue.push_back(std::move(edge));
  edges.clear();
  if (draining) return;
  draining = true;
  while (!queue.empty()) {
    Value edge = std::move(queue.back());
    queue.pop_back();
  }
  draining = false;
}

}  // namespace

Node::Node(OpPtr op_in, std::vector<Value> inputs_in, Specs specs_in, Place where_in)
    : op(std::move(op_in)),
      inputs(std::move(inputs_in)),
      specs(std::move(specs_in)),
      where(Scope::locate(where_in)),
      scope(Scope::current()) {
  for (const Value& input : inputs) symbolic |= input.node->symbolic;
  PendingWork& work = pending_work();
  next = work.nodes;
  if (next != nullptr) next->previous = this;
  work.nodes = this;
  if (is_pending()) ++work.op_count;
}

Node::~Node() {
  PendingWork& work = pending_work();
  (previous == nullptr ? work.nodes : previous->next) = next;
  if (next != nullptr) next->previous = previous;
  if (is_pending()) --work.op_count;
  release(std::move(inputs));
  release(std::move(masks));
}

void Node::set_values(std::vector<StoragePtr> computed) {
  if (is_pending()) --pending_work().op_count;
  values = std::move(computed);
}

void Node::drop_history() {
  op.reset();
  variable.reset();
  release(std::move(inputs));
}

}  // namespace plimsoll
