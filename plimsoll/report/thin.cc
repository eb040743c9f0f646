#include "plimsoll/report/thin.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "plimsoll/report/shown.h"

namespace plimsoll {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Of points [begin, end): the least, the largest, and the first that is not finite.
void keep_of_bin(const Points& points, size_t begin, size_t end, Points& kept) {
  size_t least = end, largest = end, odd = end;
  for (size_t i = begin; i < end; ++i) {
    if (!std::isfinite(points[i].second)) {
      odd = std::min(odd, i);
      continue;
    }
    if (least == end || points[i].second < points[least].second) least = i;
    if (largest == end || points[i].second > points[largest].second) largest = i;
  }
  std::vector<size_t> chosen = {least, largest, odd};
  std::ranges::sort(chosen);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  for (const size_t i : chosen)
    if (i < end) kept.push_back(points[i]);
}

}  // namespace

size_t joined_of(size_t count, size_t most) {
  return std::max<size_t>(1, (count + most - 1) / most);
}

Points thin(const Points& points, size_t most) {
  if (points.size() <= std::max<size_t>(most, 2)) return points;
  const size_t bins = std::max<size_t>(1, most / 2);
  const size_t inner = points.size() - 2;
  Points kept = {points.front()};
  for (size_t b = 0; b < bins; ++b)
    keep_of_bin(points, 1 + b * inner / bins, 1 + (b + 1) * inner / bins, kept);
  kept.push_back(points.back());
  return kept;
}

void Grid::set(const std::string& row, size_t column, double value) {
  const auto [found, is_new] = places_.emplace(row, names_.size());
  if (is_new) {
    names_.push_back(row);
    values_.emplace_back(columns_, kNone);
  }
  values_[found->second][column] = value;
}

nlohmann::ordered_json Grid::cells(size_t most_rows, size_t most_columns) const {
  const size_t tall = joined_of(values_.size(), most_rows);
  const size_t wide = joined_of(columns_, most_columns);
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (size_t r = 0; r < values_.size(); r += tall) {
    std::vector<double> best((columns_ + wide - 1) / wide, kNone);
    for (size_t i = r; i < std::min(r + tall, values_.size()); ++i)
      for (size_t c = 0; c < columns_; ++c) {
        double& cell = best[c / wide];
        const double value = values_[i][c];
        if (std::isnan(cell) || (keep_ == Keep::largest ? value > cell : value < cell))
          cell = value;
      }
    nlohmann::ordered_json row = nlohmann::ordered_json::array();
    for (const double value : best) row.push_back(shown_number(value));
    rows.push_back(std::move(row));
  }
  return rows;
}

nlohmann::ordered_json Grid::names(size_t most_rows) const {
  const size_t tall = joined_of(names_.size(), most_rows);
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  for (size_t r = 0; r < names_.size(); r += tall) {
    const size_t last = std::min(r + tall, names_.size()) - 1;
    names.push_back(last == r ? shown(names_[r], 120)
                              : shown(names_[r], 60) + " … " + shown(names_[last], 60));
  }
  return names;
}

}  // namespace plimsoll
