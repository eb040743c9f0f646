#include "plimsoll/guards/doctor/neighbours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace plimsoll {
namespace {

constexpr int64_t kMostCompared = 1000, kFewestCompared = 40;
constexpr double kMostProducts = 1.5e8;  // of comparing each record with each
constexpr int64_t kMostTargets = 256;
constexpr size_t kNearest = 7;

struct Near {
  float distance = std::numeric_limits<float>::infinity();
  int64_t record = -1;
};
using Nearest = std::array<Near, kNearest>;

void keep_nearest(Nearest& nearest, Near one) {
  if (one.distance >= nearest.back().distance) return;
  size_t at = kNearest - 1;
  for (; at > 0 && nearest[at - 1].distance > one.distance; --at) nearest[at] = nearest[at - 1];
  nearest[at] = one;
}

std::vector<Nearest> nearest_of_each(const std::vector<float>& x, int64_t columns) {
  const int64_t count = std::ssize(x) / columns;
  std::vector<Nearest> all(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i)
    for (int64_t k = 0; k < i; ++k) {
      const float *a = x.data() + i * columns, *b = x.data() + k * columns;
      float distance = 0;
      for (int64_t c = 0; c < columns; ++c) distance += (a[c] - b[c]) * (a[c] - b[c]);
      keep_nearest(all[static_cast<size_t>(i)], {distance, k});
      keep_nearest(all[static_cast<size_t>(k)], {distance, i});
    }
  return all;
}

double skill_of_votes(const std::vector<Nearest>& nearest, const std::vector<float>& labels) {
  std::map<float, double> counts;
  double right = 0, most = 0;
  for (size_t i = 0; i < nearest.size(); ++i) {
    std::map<float, int> votes;
    for (const Near& near : nearest[i]) ++votes[labels[static_cast<size_t>(near.record)]];
    const auto best = std::ranges::max_element(votes, {}, [](const auto& it) { return it.second; });
    right += best->first == labels[i] ? 1 : 0;
    most = std::max(most, ++counts[labels[i]]);
  }
  const auto count = static_cast<double>(nearest.size());
  return most < count ? (right - most) / (count - most) : 1;
}

// Of all targets together, each divided by its own deviation.
double skill_of_means(const std::vector<Nearest>& nearest, const std::vector<float>& answers,
                      int64_t targets) {
  double sum = 0;
  int64_t changing = 0;
  for (int64_t t = 0; t < targets; ++t) {
    const auto of = [&](int64_t record) {
      return double{answers[static_cast<size_t>(record * targets + t)]};
    };
    double total = 0, squares = 0, wrong = 0;
    for (int64_t i = 0; i < std::ssize(nearest); ++i) {
      double mean = 0;
      for (const Near& near : nearest[static_cast<size_t>(i)]) mean += of(near.record) / kNearest;
      total += of(i);
      squares += of(i) * of(i);
      wrong += (of(i) - mean) * (of(i) - mean);
    }
    const double spread = squares - total * total / static_cast<double>(nearest.size());
    if (spread <= 1e-12 * squares) continue;
    ++changing;
    sum += 1 - wrong / spread;
  }
  return changing == 0 ? 1 : sum / static_cast<double>(changing);
}

}  // namespace

Neighbours::Neighbours(int64_t columns, int64_t targets) : columns_(columns), targets_(targets) {
  if (columns < 1 || targets < 1 || targets > kMostTargets) return;
  const double most = std::sqrt(kMostProducts / static_cast<double>(columns));
  most_ = std::min(kMostCompared, static_cast<int64_t>(most));
  if (most_ < kFewestCompared) most_ = 0;
}

void Neighbours::add(std::span<const double> inputs, std::span<const double> targets) {
  for (const double value : inputs) inputs_.push_back(static_cast<float>(value));
  for (const double value : targets) answers_.push_back(static_cast<float>(value));
}

// Each column less its mean, divided by its deviation.
std::vector<float> Neighbours::scaled() const {
  std::vector<float> scaled = inputs_;
  const int64_t count = std::ssize(scaled) / columns_;
  for (int64_t c = 0; c < columns_; ++c) {
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < count; ++i) {
      const double value = scaled[static_cast<size_t>(i * columns_ + c)];
      sum += value;
      squares += value * value;
    }
    const double mean = sum / static_cast<double>(count);
    const double variance = squares / static_cast<double>(count) - mean * mean;
    const double factor = variance > 1e-12 * (mean * mean + 1e-30) ? 1 / std::sqrt(variance) : 0;
    for (int64_t i = 0; i < count; ++i) {
      float& value = scaled[static_cast<size_t>(i * columns_ + c)];
      value = static_cast<float>((value - mean) * factor);
    }
  }
  return scaled;
}

std::optional<double> Neighbours::skill(bool are_classes) const {
  if (columns_ < 1 || std::ssize(inputs_) < kFewestCompared * columns_) return std::nullopt;
  const std::vector<Nearest> nearest = nearest_of_each(scaled(), columns_);
  if (are_classes && targets_ == 1) return skill_of_votes(nearest, answers_);
  return skill_of_means(nearest, answers_, targets_);
}

}  // namespace plimsoll
