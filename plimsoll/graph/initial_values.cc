#include "plimsoll/graph/initial_values.h"

#include <utility>

#include "plimsoll/graph/context.h"

namespace plimsoll {

WithoutInitialValues::WithoutInitialValues() {
  ++Context::current().open.without_initial_values;
}

WithoutInitialValues::~WithoutInitialValues() {
  --Context::current().open.without_initial_values;
}

bool WithoutInitialValues::is_open() {
  return Context::current().open.without_initial_values > 0 ||
         Context::current().open.later_initial_values != nullptr;
}

LaterInitialValues::LaterInitialValues()
    : outer_(std::exchange(Context::current().open.later_initial_values, this)) {}

LaterInitialValues::~LaterInitialValues() {
  Context::current().open.later_initial_values = outer_;
}

void LaterInitialValues::fill() {
  for (const std::function<void()>& fill : std::exchange(waiting_, {})) fill();
}

void fill_initially(std::function<void()> fill) {
  if (Context::current().open.without_initial_values > 0) return;
  LaterInitialValues* later = Context::current().open.later_initial_values;
  if (later == nullptr) return fill();
  later->waiting_.push_back(std::move(fill));
}

}  // namespace plimsoll
