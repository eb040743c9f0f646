#include "plimsoll/nn/layers/activity_penalties.h"

namespace plimsoll {
namespace {

thread_local ActivityPenalties* innermost = nullptr;

}  // namespace

ActivityPenalties::ActivityPenalties() : outer_(innermost) {
  innermost = this;
}

ActivityPenalties::~ActivityPenalties() {
  innermost = outer_;
}

void ActivityPenalties::add(const Tensor& penalty) {
  if (innermost != nullptr) innermost->penalties_.push_back(penalty);
}

}  // namespace plimsoll
