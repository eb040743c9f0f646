#include "plimsoll/train/report/judged_output.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/train/data/model_fields.h"

namespace plimsoll {

std::optional<JudgedOutput> JudgedOutput::of(const Model& model, int64_t width) {
  using Targets = LossTargets::Kind;
  const std::vector<Loss> losses = losses_of(model);
  if (losses.size() != 1 || !losses[0].defined() || width < 1) return std::nullopt;
  const LossTargets targets = losses[0].targets();
  const bool are_logits = gives_logits(model);
  if (width == 1 && targets.kind == Targets::probabilities)
    return JudgedOutput(Kind::two_classes, width, are_logits);
  const bool are_classes = targets.are_classes() || targets.kind == Targets::any_classes;
  if (width > 1 && are_classes) return JudgedOutput(Kind::classes, width, are_logits);
  if (targets.kind == Targets::numbers) return JudgedOutput(Kind::numbers, width, false);
  return std::nullopt;
}

std::vector<double> JudgedOutput::probabilities(std::span<const double> predicted) const {
  if (kind_ == Kind::two_classes) {
    const double second = are_logits_ ? 1 / (1 + std::exp(-predicted[0])) : predicted[0];
    return {1 - second, second};
  }
  std::vector<double> shares(predicted.begin(), predicted.end());
  if (!are_logits_) return shares;
  const double largest = *std::ranges::max_element(shares);
  double sum = 0;
  for (double& share : shares) sum += share = std::exp(share - largest);
  for (double& share : shares) share /= sum;
  return shares;
}

std::optional<JudgedOutput::Verdict> JudgedOutput::judge(std::span<const double> predicted,
                                                         std::span<const double> target) const {
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (predicted.empty() || target.empty() || !std::ranges::all_of(predicted, is_finite) ||
      !std::ranges::all_of(target, is_finite))
    return std::nullopt;
  if (kind_ == Kind::numbers) {
    double squares = 0;
    for (size_t i = 0; i < std::min(predicted.size(), target.size()); ++i)
      squares += (predicted[i] - target[i]) * (predicted[i] - target[i]);
    return Verdict{.error = std::sqrt(squares / static_cast<double>(predicted.size()))};
  }
  const std::vector<double> shares = probabilities(predicted);
  const auto place_of_largest = [](std::span<const double> of) {
    return std::ranges::max_element(of) - of.begin();
  };
  const int64_t actual = target.size() > 1 ? place_of_largest(target) : std::llround(target[0]);
  if (actual < 0 || actual >= classes()) return std::nullopt;
  constexpr double kLeast = 1e-12;
  return Verdict{.actual = actual,
                 .predicted = place_of_largest(shares),
                 .error = -std::log(std::max(kLeast, shares[static_cast<size_t>(actual)]))};
}

}  // namespace plimsoll
