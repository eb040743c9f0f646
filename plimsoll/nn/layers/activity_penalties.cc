#include "plimsoll/nn/layers/activity_penalties.h"

#include "plimsoll/graph/context.h"

namespace plimsoll {
namespace {

struct InnermostActivityPenalties {
  ActivityPenalties* open = nullptr;
};

ActivityPenalties*& innermost() {
  return Context::current().part<InnermostActivityPenalties>().open;
}

}  // namespace

ActivityPenalties::ActivityPenalties() : outer_(innermost()) {
  innermost() = this;
}

ActivityPenalties::~ActivityPenalties() {
  innermost() = outer_;
}

void ActivityPenalties::add(const Tensor& penalty) {
  if (innermost() != nullptr) innermost()->penalties_.push_back(penalty);
}

}  // namespace plimsoll
