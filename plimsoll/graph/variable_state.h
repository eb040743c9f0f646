// VariableState: what the handles of a variable share.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "plimsoll/graph/value.h"
#include "plimsoll/tensor/spec.h"
#include "plimsoll/tensor/storage.h"

namespace plimsoll {

class Context;
class Tensor;

struct VariableState {
  VariableState(std::string name_in, const Spec& spec_in);

  // The nodes that read it, of every context that does.
  std::vector<NodePtr> live_leaves() const;

  std::string name;
  Spec spec;
  Storage storage;      // row-major; never moves
  uint64_t id = 0;      // unique in the process
  int64_t version = 0;  // counts commits
  bool trainable = true;
  // Its value is not read before the step that writes it anew is done, so a step need not wait for
  // its gates to write it.
  bool is_scratch = false;
  std::function<Tensor(const Tensor&)> constraint;  // what training puts new values through, if any

  mutable std::mutex mutex;                 // guards all that follows
  Value pending;                            // the value that the next commit writes, if any
  std::shared_ptr<Context> pending_in;      // whose commit that is
  std::vector<std::weak_ptr<Node>> leaves;  // one per context: the node that read it last
};

}  // namespace plimsoll
