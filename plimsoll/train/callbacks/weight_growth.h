// WeightGrowth: notices that the last steps of a run made the weights far too large. The loss of a
// step is that of the weights before it, so no loss has seen the last step of a run.
#pragma once

#include <vector>

#include "plimsoll/formats/checkpoint/state.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

class WeightGrowth {
 public:
  // Remembers how large the trained weights are now, and how large they were before that.
  void look(const Model& model);

  // True if a weight is not finite, or grew more than tenfold, from 1 at least, since the look
  // before the last one. Training that goes well does not do that in an epoch; a model that does
  // may still be good.
  bool is_doubtful(const Model& model) const;

  void save_state(StateWriter& to) const;
  void load_state(const StateReader& from);

 private:
  std::vector<float> before_, last_;  // of each trained weight, its largest number
};

}  // namespace plimsoll
