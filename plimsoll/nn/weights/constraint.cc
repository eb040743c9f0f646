#include "plimsoll/nn/weights/constraint.h"

#include <array>

#include "plimsoll/base/error.h"
#include "plimsoll/base/nearest_name.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

constexpr double kNormEpsilon = 1e-7;

struct NamedConstraint {
  Constraint::Kind kind;
  std::string_view name, class_name;
};
constexpr std::array<NamedConstraint, 4> kConstraints = {{
    {Constraint::Kind::max_norm, "max_norm", "MaxNorm"},
    {Constraint::Kind::non_neg, "non_neg", "NonNeg"},
    {Constraint::Kind::unit_norm, "unit_norm", "UnitNorm"},
    {Constraint::Kind::min_max_norm, "min_max_norm", "MinMaxNorm"},
}};

Constraint::Settings constraint_named(std::string_view name) {
  if (name.empty()) return {};
  std::vector<std::string> known;
  for (const NamedConstraint& row : kConstraints) {
    if (name == row.name || name == row.class_name)
      return {.kind = row.kind, .max_value = row.kind == Constraint::Kind::max_norm ? 2.0 : 1.0};
    known.emplace_back(row.name);
  }
  throw InvalidArgument(not_known("constraint:", name, known));
}

}  // namespace

Constraint::Constraint(std::string_view name) : settings_(constraint_named(name)) {}

std::string_view Constraint::class_name() const {
  for (const NamedConstraint& row : kConstraints)
    if (row.kind == settings_.kind) return row.class_name;
  return "";
}

Tensor Constraint::operator()(const Tensor& weight) const {
  if (settings_.kind == Constraint::Kind::none) return weight;
  if (settings_.kind == Constraint::Kind::non_neg) return maximum(weight, 0);
  const Tensor norm = sqrt(sum(square(weight), settings_.axis, true));
  if (settings_.kind == Constraint::Kind::unit_norm) return weight / (norm + kNormEpsilon);
  Tensor wanted = clip(norm, settings_.min_value, settings_.max_value);
  if (settings_.kind == Constraint::Kind::min_max_norm)
    wanted = settings_.rate * wanted + (1 - settings_.rate) * norm;
  return weight * (wanted / (norm + kNormEpsilon));
}

Constraint MaxNorm(const MaxNormOptions& options) {
  return Constraint(Constraint::Settings{
      .kind = Constraint::Kind::max_norm, .max_value = options.max_value, .axis = options.axis});
}
Constraint NonNeg() {
  return Constraint(Constraint::Settings{.kind = Constraint::Kind::non_neg});
}
Constraint UnitNorm(const UnitNormOptions& options) {
  return Constraint(
      Constraint::Settings{.kind = Constraint::Kind::unit_norm, .axis = options.axis});
}
Constraint MinMaxNorm(const MinMaxNormOptions& options) {
  return Constraint(Constraint::Settings{.kind = Constraint::Kind::min_max_norm,
                                         .min_value = options.min_value,
                                         .max_value = options.max_value,
                                         .rate = options.rate,
                                         .axis = options.axis});
}

}  // namespace plimsoll
