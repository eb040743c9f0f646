#include "plimsoll/ops/recurrent/sequence_cut.h"

#include <algorithm>

#include "plimsoll/graph/context.h"

namespace plimsoll {
namespace {

struct InnermostSequenceCut {
  SequenceCut* open = nullptr;
};

SequenceCut*& innermost() {
  return Context::current().part<InnermostSequenceCut>().open;
}

}  // namespace

SequenceCut::SequenceCut(int parts) : parts_(parts), outer_(innermost()) {
  innermost() = this;
}

SequenceCut::~SequenceCut() {
  innermost() = outer_;
}

int SequenceCut::parts_of(long steps) {
  if (innermost() == nullptr || steps < 2) return 1;
  innermost()->was_used_ = true;
  return static_cast<int>(std::min<long>(innermost()->parts_, steps));
}

}  // namespace plimsoll
