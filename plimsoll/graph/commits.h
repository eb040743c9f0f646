// Commits: variables while assignments to them are made. A program that guards a variable by a lock
// of its own does not know when an assignment is made, for that happens when something is asked
// for. So from the moment when it begins, other threads that ask for the variable wait for its end.
#pragma once

#include <memory>
#include <vector>

#include "plimsoll/graph/context.h"
#include "plimsoll/graph/variable_state.h"

namespace plimsoll {

class Commits {
 public:
  // Of all that the context has to make, when no other thread makes any of them. The caller holds
  // no lock.
  explicit Commits(Context& context);
  ~Commits();
  Commits(const Commits&) = delete;
  Commits& operator=(const Commits&) = delete;

  // Waits until no other thread makes assignments to the variable. The caller holds no lock.
  static void wait_for(const VariableState& variable);

 private:
  std::vector<std::shared_ptr<VariableState>> variables_;
};

}  // namespace plimsoll
