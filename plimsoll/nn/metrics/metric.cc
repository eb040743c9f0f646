#include "plimsoll/nn/metrics/metric.h"

#include <cstring>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/scope.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {

Variable MetricBody::add_variable(const std::string& what, const Spec& spec) {
  variables_.emplace_back(name_ + "/" + what, spec, false);
  return variables_.back();
}

void MetricBody::add(Variable variable, const Tensor& value) {
  variable.assign(variable.value() + value);
}

void MetricBody::refuse(const std::string& what) const {
  throw InvalidArgument(name_ + ": " + what);
}

void MetricBody::reset_state() {
  for (Variable& variable : variables_) {
    const std::vector<std::byte> zeros(static_cast<size_t>(variable.spec().bytes()));
    variable.set_bytes(zeros);
  }
}

MetricBody& Metric::body() const {
  if (!defined()) throw InvalidArgument("metric: empty (default-constructed)");
  return *body_;
}

void Metric::update_state(const Tensor& y_true, const Tensor& y_pred, const Tensor& sample_weight,
                          Place where) const {
  const CallSite site(where);
  const Scope scope(name());
  body().update(y_true, y_pred, sample_weight);
}

const float* floats_of(const Variable& variable) {
  return reinterpret_cast<const float*>(variable.data());
}

}  // namespace plimsoll
