// ActivityRegularization: passes its input on, and adds a penalty on it to the loss.
#pragma once

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct ActivityRegularizationOptions {
  double l1 = 0;
  double l2 = 0;
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, ActivityRegularizationOptions& options);

struct ActivityRegularization : Layer {
  explicit ActivityRegularization(const ActivityRegularizationOptions& options = {});
};

}  // namespace plimsoll
