#include "plimsoll/nn/preprocessing/quantiles.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

// Numbers in order, each with the share of the data that it is for.
struct Summary {
  std::vector<double> numbers, weights;
};

Summary summarize(std::vector<float> numbers, double epsilon) {
  std::ranges::sort(numbers);
  const double step = std::max(static_cast<double>(numbers.size()) / (1.0 / epsilon), 1.0);
  Summary summary;
  for (auto i = static_cast<size_t>(step - 1); i < numbers.size(); i += static_cast<size_t>(step)) {
    summary.numbers.push_back(numbers[i]);
    summary.weights.push_back(step);
  }
  return summary;
}

// y at x, on straight lines between the points, as numpy.interp.
double interpolate(double x, const std::vector<double>& xs, const std::vector<double>& ys) {
  if (x <= xs.front()) return ys.front();
  if (x >= xs.back()) return ys.back();
  const auto after = static_cast<size_t>(std::ranges::upper_bound(xs, x) - xs.begin());
  const double slope = (ys[after] - ys[after - 1]) / (xs[after] - xs[after - 1]);
  return slope * (x - xs[after - 1]) + ys[after - 1];
}

// To about 1 / epsilon numbers.
Summary compress(const Summary& summary, double epsilon) {
  if (static_cast<double>(summary.numbers.size()) * epsilon < 1) return summary;
  std::vector<double> sums, shares;
  for (const double weight : summary.weights)
    sums.push_back(static_cast<float>(weight + (sums.empty() ? 0 : sums.back())));
  for (const double sum : sums) shares.push_back(static_cast<float>(sum / sums.back()));
  Summary compressed;
  double before = 0;
  const auto count = static_cast<int64_t>(std::ceil(1.0 / epsilon));
  for (int64_t i = 0; i < count; ++i) {
    const double share = epsilon + static_cast<double>(i) * epsilon;
    const double sum = interpolate(share, shares, sums);
    compressed.numbers.push_back(static_cast<float>(interpolate(share, shares, summary.numbers)));
    compressed.weights.push_back(static_cast<float>(sum - before));
    before = sum;
  }
  return compressed;
}

}  // namespace

std::vector<double> quantiles(std::vector<float> numbers, int64_t bins, double epsilon) {
  const Summary summary = compress(summarize(std::move(numbers), epsilon), epsilon);
  std::vector<double> found = compress(summary, 1.0 / static_cast<double>(bins)).numbers;
  if (!found.empty()) found.pop_back();
  return found;
}

}  // namespace plimsoll
