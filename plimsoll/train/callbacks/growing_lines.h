// GrowingLines: the lines of a program whose tensors became more in each of the last epochs.
#pragma once

#include <vector>

#include "plimsoll/graph/tensor_growth.h"
#include "plimsoll/record/run_story.h"

namespace plimsoll {

class GrowingLines {
 public:
  // What is held now is where the epochs begin.
  void begin();
  // Looks again at the end of an epoch; those that grew in three epochs or more, most bytes first.
  std::vector<GrowingLine> end_epoch();

 private:
  TensorGrowth growth_;
};

}  // namespace plimsoll
