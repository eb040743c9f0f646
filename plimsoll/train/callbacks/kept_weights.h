// KeptWeights: one copy of a model's weights, to go back to. A callback that has one lets the plan
// count it and puts it into checkpoints.
#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/graph/variable.h"
#include "plimsoll/tensor/storage.h"

namespace plimsoll {

class Model;
class StateReader;
class StateWriter;

class KeptWeights {
 public:
  // What reserve() will take.
  int64_t planned_bytes(const Model& model) const;
  // Makes room, which is empty then, so that keep() takes no memory.
  void reserve(const Model& model);
  void keep(const Model& model);
  bool has_weights() const { return has_weights_; }
  // The copies are left; there must be some.
  void restore(const Model& model) const;
  void forget();
  // Copies of the copies; none if there are none.
  Tensors tensors() const;

  void save_state(StateWriter& to) const;
  // After reserve().
  void load_state(const StateReader& from);

 private:
  std::vector<StoragePtr> storages_;
  Specs specs_;  // of these
  bool has_weights_ = false;
};

}  // namespace plimsoll
