#include "plimsoll/graph/initial_values.h"

#include "plimsoll/graph/context.h"

namespace plimsoll {

WithoutInitialValues::WithoutInitialValues() {
  ++Context::current().open.without_initial_values;
}

WithoutInitialValues::~WithoutInitialValues() {
  --Context::current().open.without_initial_values;
}

bool WithoutInitialValues::is_open() {
  return Context::current().open.without_initial_values > 0;
}

}  // namespace plimsoll
