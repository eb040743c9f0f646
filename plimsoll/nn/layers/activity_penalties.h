// ActivityPenalties: what activity regularizers add to the loss. While one is open on this thread,
// each call of a layer that has such a regularizer leaves its penalty there, once per output and
// divided by the batch.
//
//   ActivityPenalties activity;
//   Tensor loss = mean_squared_error(y, model(x));
//   for (const Tensor& penalty : activity.penalties()) loss = loss + penalty;
#pragma once

#include "plimsoll/graph/tensor.h"

namespace plimsoll {

class ActivityPenalties {
 public:
  ActivityPenalties();
  ~ActivityPenalties();
  ActivityPenalties(const ActivityPenalties&) = delete;
  ActivityPenalties& operator=(const ActivityPenalties&) = delete;

  const Tensors& penalties() const { return penalties_; }

  // Adds to the innermost one that is open; does nothing if none is.
  static void add(const Tensor& penalty);

 private:
  Tensors penalties_;
  ActivityPenalties* outer_;
};

}  // namespace plimsoll
