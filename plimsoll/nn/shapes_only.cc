#include "plimsoll/nn/shapes_only.h"

namespace plimsoll {
namespace {

thread_local int open_count = 0;

}  // namespace

ShapesOnly::ShapesOnly() {
  ++open_count;
}

ShapesOnly::~ShapesOnly() {
  --open_count;
}

bool ShapesOnly::is_open() {
  return open_count > 0;
}

}  // namespace plimsoll
