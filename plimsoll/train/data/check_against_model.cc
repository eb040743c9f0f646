#include "plimsoll/train/data/check_against_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/shapes_only.h"
#include "plimsoll/train/data/input_use.h"

namespace plimsoll {
namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

// The numbers as the first layer with weights gets them.
struct Scaled {
  double least, largest, mean, deviation;

  Scaled(const FieldSummary& field, const InputUse& use)
      : least(field.least * use.scale + use.offset),
        largest(field.largest * use.scale + use.offset),
        mean(field.mean * use.scale + use.offset),
        deviation(field.deviation * std::abs(use.scale)) {}
  double farthest() const { return std::max(std::abs(least), std::abs(largest)); }
};

std::string range_text(const FieldSummary& field, const InputUse& use) {
  const Scaled scaled(field, use);
  const bool is_scaled = use.scale != 1 || use.offset != 0;
  std::string text = "'" + field.name + "' has numbers from " + number(field.least) + " to " +
                     number(field.largest) + " (mean " + number(field.mean) + ", deviation " +
                     number(field.deviation) + ")";
  if (is_scaled)
    text += ", which the model makes " + number(scaled.least) + " to " + number(scaled.largest);
  return text + "; layer '" + use.layer + "' multiplies them by its weights" +
         (is_scaled ? "" : " as they are");
}

CheckWarning scale_warning(const FieldSummary& field, const InputUse& use,
                           const std::string& remedy) {
  return {.reason = "scale",
          .what = range_text(field, use),
          .remedy = remedy,
          .examples = {field.name}};
}

// Columns of a table have each a scale of their own.
std::vector<std::string> far_columns(const FieldSummary& field, const InputUse& use) {
  constexpr double kFar = 100;
  std::vector<std::string> names;
  for (const ColumnSummary& column : field.columns) {
    const double least = column.least * use.scale + use.offset,
                 largest = column.largest * use.scale + use.offset;
    if (column.values > 0 && std::max(std::abs(least), std::abs(largest)) > kFar)
      names.push_back(column.name);
  }
  return names;
}

void check_scale(const FieldSummary& field, const InputUse& use,
                 std::vector<CheckWarning>& warnings) {
  constexpr double kFar = 20, kWide = 10, kSmall = 0.05, kNarrow = 0.01;
  if (use.kind != InputUse::Kind::weights || field.values == 0) return;
  const Scaled scaled(field, use);
  const auto columns = far_columns(field, use);
  if (!columns.empty()) {
    warnings.push_back(scale_warning(field, use,
                                     "put a Normalization at the start of the model, or bring the "
                                     "columns to a mean of 0 and a deviation of 1"));
    warnings.back().count = std::ssize(columns);
    warnings.back().examples.assign(columns.begin(),
                                    columns.begin() + std::min<int64_t>(20, std::ssize(columns)));
    return;
  }
  if (scaled.farthest() > kFar && (std::abs(scaled.mean) > kWide || scaled.deviation > kWide))
    warnings.push_back(scale_warning(
        field, use,
        "put a Rescaling (scale 1/255 for images) or a Normalization at the start of the model"));
  else if (scaled.farthest() < kSmall && scaled.deviation < kNarrow)
    warnings.push_back(scale_warning(
        field, use, "numbers of about 1 are learnt best: scale once, in the data or the model"));
}

bool has_unknown(const Shape& shape) {
  return std::ranges::any_of(shape, [](int64_t dim) { return dim == kUnknown; });
}

// Numbers of a sample that the loss takes; none where the model leaves it open.
std::optional<int64_t> expected_numbers(const Loss& loss, const Shape& output) {
  const Shape sample = output.without(0);
  if (has_unknown(sample) || !loss.defined()) return std::nullopt;
  const LossTargets& targets = loss.targets();
  if (targets.kind == LossTargets::Kind::class_numbers)
    return sample.elements() / std::max<int64_t>(1, sample.back());
  if (targets.are_probabilities()) return sample.elements();
  return std::nullopt;
}

// Asks the loss, as training does. True where the model leaves the shape of the output open.
bool takes_shape(const Loss& loss, const Spec& target, const Spec& output) {
  constexpr int64_t kRecords = 7;
  const Shape sample = output.shape.without(0);
  if (has_unknown(sample) || !loss.defined()) return true;
  const auto some = [](DType dtype, const Shape& shape) {
    return placeholder({dtype, shape.with(0, kRecords)});
  };
  try {
    const ShapesOnly only;
    loss.values(some(target.dtype, target.shape), some(output.dtype, sample));
    return true;
  } catch (const InvalidArgument&) {
    return false;
  }
}

std::string wrong_shape(const FieldSummary& field, const Loss& loss, const Port& output) {
  const auto expected = expected_numbers(loss, output.spec.shape);
  const int64_t found = field.spec.shape.elements();
  if (!expected || *expected == found)
    return fmt::format(
        "the target '{}' has the shape {} per record, which the loss {} of the output '{}' {} "
        "does not take",
        field.name, field.spec.shape.to_string(), loss.name(), output.name,
        display(output.spec.shape));
  const bool takes_numbers = loss.targets().kind == LossTargets::Kind::class_numbers;
  return fmt::format(
      "the target '{}' has {} number(s) per record, the loss {} of the output '{}' {} takes {}{}",
      field.name, found, loss.name(), output.name, display(output.spec.shape), *expected,
      takes_numbers ? "; categorical_crossentropy takes vectors (--loss)"
                    : "; sparse_categorical_crossentropy takes class numbers (--loss)");
}

void check_target(const FieldSummary& field, const Loss& loss, const Port& output,
                  const std::string& path, CheckReport& report) {
  if (!takes_shape(loss, field.spec, output.spec)) {
    report.bad.insert(report.bad.begin(),
                      {-1, path, Flaw::shape, wrong_shape(field, loss, output)});
    return;
  }
  if (loss.targets().are_probabilities() && (field.least < 0 || field.largest > 1))
    report.warnings.push_back({.reason = "label_range",
                               .what = "the target '" + field.name + "' has numbers from " +
                                       number(field.least) + " to " + number(field.largest) +
                                       ", the loss " + loss.name() + " takes 0 to 1",
                               .remedy = "make probabilities of them, or choose another --loss",
                               .examples = {field.name}});
}

}  // namespace

void check_against_model(const Model& model, const std::string& path, CheckReport& report) {
  const Ports outputs = model.network().outputs();
  const std::vector<InputUse> uses = input_uses(model.network());
  const std::vector<Loss> losses = losses_of(model);
  size_t input = 0, target = 0;
  for (const FieldSummary& field : report.fields) {
    if (field.role == FieldRole::input && input < uses.size())
      check_scale(field, uses[input++], report.warnings);
    if (field.role == FieldRole::target && target < outputs.size()) {
      check_target(field, losses[target], outputs[target], path, report);
      ++target;
    }
  }
}

}  // namespace plimsoll
