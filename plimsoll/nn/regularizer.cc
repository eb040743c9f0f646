#include "plimsoll/nn/regularizer.h"

#include <array>
#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/unit_length.h"
#include "plimsoll/ops/elementwise.h"
#include "plimsoll/ops/linear.h"
#include "plimsoll/ops/reduction.h"

namespace plimsoll {
namespace {

using Kind = Regularizer::Kind;
using Settings = Regularizer::Settings;

constexpr double kDefaultFactor = 0.01;

struct Named {
  Kind kind;
  std::string_view name, class_name;
};
constexpr std::array<Named, 4> kNamed = {{
    {Kind::l1, "l1", "L1"},
    {Kind::l2, "l2", "L2"},
    {Kind::l1_l2, "l1_l2", "L1L2"},
    {Kind::orthogonal, "orthogonal_regularizer", "OrthogonalRegularizer"},
}};

Settings by_name(std::string_view name) {
  if (name.empty()) return {};
  std::string known;
  for (const auto& [kind, own_name, class_name] : kNamed) {
    if (name == own_name || name == class_name)
      return {.kind = kind,
              .l1 = kind == Kind::l1 || kind == Kind::l1_l2 ? kDefaultFactor : 0,
              .l2 = kind == Kind::l2 || kind == Kind::l1_l2 ? kDefaultFactor : 0,
              .factor = kind == Kind::orthogonal ? kDefaultFactor : 0};
    known += (known.empty() ? "" : ", ") + std::string(own_name);
  }
  throw InvalidArgument("regularizer: '" + std::string(name) + "' is not known (known: " + known +
                        ")");
}

void check(const char* name, double factor) {
  if (!std::isfinite(factor) || factor < 0)
    throw InvalidArgument("regularizer: " + std::string(name) +
                          " must be a finite number, not negative; found " +
                          std::to_string(factor));
}

Kind kind_of(double l1, double l2) {
  return l1 > 0 && l2 > 0 ? Kind::l1_l2 : l1 > 0 ? Kind::l1 : l2 > 0 ? Kind::l2 : Kind::none;
}

// The diagonal of the products of unit vectors is the sum of their squares: it is not built.
Tensor mean_cosine(const Tensor& weight, bool of_rows) {
  if (weight.rank() != 2)
    throw InvalidArgument("regularizer: orthogonal wants a matrix, found a weight of shape " +
                          weight.shape().to_string());
  const Tensor unit = unit_length(weight, of_rows ? 1 : 0);
  const Tensor products = of_rows ? matmul(unit, unit, {.transpose_b = true})
                                  : matmul(unit, unit, {.transpose_a = true});
  const auto size = static_cast<double>(weight.shape()[of_rows ? 0 : 1]);
  const double pairs = std::max(size * (size - 1), 1.0);
  return (sum(abs(products)) - sum(square(unit))) / pairs;
}

}  // namespace

Regularizer::Regularizer(std::string_view name) : Regularizer(by_name(name)) {}

Regularizer::Regularizer(double l1, double l2)
    : Regularizer(Settings{.kind = kind_of(l1, l2), .l1 = l1, .l2 = l2}) {}

Regularizer::Regularizer(const Settings& settings) : settings_(settings) {
  check("l1", settings.l1);
  check("l2", settings.l2);
  check("factor", settings.factor);
  if (settings.mode != "rows" && settings.mode != "columns")
    throw InvalidArgument("regularizer: the mode '" + settings.mode +
                          "' is not known (known: rows, columns)");
}

std::string_view Regularizer::class_name() const {
  for (const Named& row : kNamed)
    if (row.kind == settings_.kind) return row.class_name;
  return "";
}

Tensor Regularizer::operator()(const Tensor& weight) const {
  if (settings_.factor > 0) return settings_.factor * mean_cosine(weight, settings_.mode == "rows");
  Tensor penalty;
  if (settings_.l1 > 0) penalty = sum(abs(weight)) * settings_.l1;
  if (settings_.l2 > 0) {
    const Tensor squares = sum(square(weight)) * settings_.l2;
    penalty = penalty.defined() ? penalty + squares : squares;
  }
  return penalty.defined() ? penalty : scalar(0);
}

Regularizer L1(double l1) {
  return Regularizer(Settings{.kind = Kind::l1, .l1 = l1});
}
Regularizer L2(double l2) {
  return Regularizer(Settings{.kind = Kind::l2, .l2 = l2});
}
Regularizer L1L2(const L1L2Options& options) {
  return Regularizer(Settings{.kind = Kind::l1_l2, .l1 = options.l1, .l2 = options.l2});
}
Regularizer OrthogonalRegularizer(const OrthogonalRegularizerOptions& options) {
  return Regularizer(
      Settings{.kind = Kind::orthogonal, .factor = options.factor, .mode = options.mode});
}

}  // namespace plimsoll
