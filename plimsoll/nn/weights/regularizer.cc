#include "plimsoll/nn/weights/regularizer.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/base/nearest_name.h"
#include "plimsoll/nn/losses/unit_length.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/linear/linear.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

constexpr double kDefaultFactor = 0.01;

struct NamedRegularizer {
  Regularizer::Kind kind;
  std::string_view name, class_name;
};
constexpr std::array<NamedRegularizer, 4> kRegularizers = {{
    {Regularizer::Kind::l1, "l1", "L1"},
    {Regularizer::Kind::l2, "l2", "L2"},
    {Regularizer::Kind::l1_l2, "l1_l2", "L1L2"},
    {Regularizer::Kind::orthogonal, "orthogonal_regularizer", "OrthogonalRegularizer"},
}};

Regularizer::Settings regularizer_named(std::string_view name) {
  if (name.empty()) return {};
  std::vector<std::string> known;
  for (const auto& [kind, own_name, class_name] : kRegularizers) {
    if (name == own_name || name == class_name)
      return {
          .kind = kind,
          .l1 = kind == Regularizer::Kind::l1 || kind == Regularizer::Kind::l1_l2 ? kDefaultFactor
                                                                                  : 0,
          .l2 = kind == Regularizer::Kind::l2 || kind == Regularizer::Kind::l1_l2 ? kDefaultFactor
                                                                                  : 0,
          .factor = kind == Regularizer::Kind::orthogonal ? kDefaultFactor : 0};
    known.emplace_back(own_name);
  }
  throw InvalidArgument(not_known("regularizer:", name, known));
}

void check(const char* name, double factor) {
  if (!std::isfinite(factor) || factor < 0)
    throw InvalidArgument(fmt::format(
        "regularizer: {} must be a finite number, not negative; found {}", name, factor));
}

Regularizer::Kind kind_of(double l1, double l2) {
  return l1 > 0 && l2 > 0 ? Regularizer::Kind::l1_l2
         : l1 > 0         ? Regularizer::Kind::l1
         : l2 > 0         ? Regularizer::Kind::l2
                          : Regularizer::Kind::none;
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

Regularizer::Regularizer(std::string_view name) : Regularizer(regularizer_named(name)) {}

Regularizer::Regularizer(double l1, double l2)
    : Regularizer(Regularizer::Settings{.kind = kind_of(l1, l2), .l1 = l1, .l2 = l2}) {}

Regularizer::Regularizer(const Regularizer::Settings& settings) : settings_(settings) {
  check("l1", settings.l1);
  check("l2", settings.l2);
  check("factor", settings.factor);
  if (settings.mode != "rows" && settings.mode != "columns")
    throw InvalidArgument("regularizer: the mode '" + settings.mode +
                          "' is not known (known: rows, columns)");
}

std::string_view Regularizer::class_name() const {
  for (const NamedRegularizer& row : kRegularizers)
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
  return Regularizer(Regularizer::Settings{.kind = Regularizer::Kind::l1, .l1 = l1});
}
Regularizer L2(double l2) {
  return Regularizer(Regularizer::Settings{.kind = Regularizer::Kind::l2, .l2 = l2});
}
Regularizer L1L2(const L1L2Options& options) {
  return Regularizer(
      Regularizer::Settings{.kind = Regularizer::Kind::l1_l2, .l1 = options.l1, .l2 = options.l2});
}
Regularizer OrthogonalRegularizer(const OrthogonalRegularizerOptions& options) {
  return Regularizer(Regularizer::Settings{
      .kind = Regularizer::Kind::orthogonal, .factor = options.factor, .mode = options.mode});
}

}  // namespace plimsoll
