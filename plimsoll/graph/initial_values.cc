#include "plimsoll/graph/initial_values.h"

namespace plimsoll {
namespace {

thread_local int open_count = 0;

}  // namespace

WithoutInitialValues::WithoutInitialValues() {
  ++open_count;
}

WithoutInitialValues::~WithoutInitialValues() {
  --open_count;
}

bool WithoutInitialValues::is_open() {
  return open_count > 0;
}

}  // namespace plimsoll
