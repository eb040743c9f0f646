#include "plimsoll/nn/shapes_only.h"

#include "plimsoll/graph/context.h"

namespace plimsoll {
namespace {

struct ShapesOnlyCount {
  int open = 0;
};

int& open_count() {
  return Context::current().part<ShapesOnlyCount>().open;
}

}  // namespace

ShapesOnly::ShapesOnly() {
  ++open_count();
}

ShapesOnly::~ShapesOnly() {
  --open_count();
}

bool ShapesOnly::is_open() {
  return open_count() > 0;
}

}  // namespace plimsoll
