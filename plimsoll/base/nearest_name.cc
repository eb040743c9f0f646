#include "plimsoll/base/nearest_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace plimsoll {
namespace {

// A name in a file may be of any length; the work grows with its square.
constexpr size_t kLongest = 100;

char small_letter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool begins_with(std::string_view name, std::string_view start) {
  return name.size() >= start.size() && edit_distance(name.substr(0, start.size()), start) == 0;
}

// The only name that begins with what was found.
std::string completed(std::string_view found, std::span<const std::string> known) {
  constexpr size_t kLeast = 3;
  const auto fits = [&](const std::string& name) { return begins_with(name, found); };
  if (found.size() < kLeast || std::ranges::count_if(known, fits) != 1) return "";
  return *std::ranges::find_if(known, fits);
}

}  // namespace

size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the table whose element (i, j) is the distance of the first i and j letters.
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  const auto same = [&](size_t i, size_t j) { return small_letter(a[i]) == small_letter(b[j]); };
  for (size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j - 1] + (same(i - 1, j - 1) ? 0 : 1), last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && same(i - 1, j - 2) && same(i - 2, j - 1))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

std::string nearest_name(std::string_view found, std::span<const std::string> known) {
  if (found.empty() || found.size() > kLongest) return "";
  std::string nearest;
  size_t least = std::max<size_t>(found.size() / 3, 1) + 1;
  for (const std::string& name : known) {
    if (name.size() > kLongest) continue;
    const size_t distance = edit_distance(found, name);
    if (distance >= least || distance >= name.size()) continue;
    least = distance;
    nearest = name;
  }
  return nearest.empty() ? completed(found, known) : nearest;
}

std::string did_you_mean(std::string_view found, std::span<const std::string> known) {
  const std::string nearest = nearest_name(found, known);
  return nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest);
}

std::string not_known(std::string_view subject, std::string_view found,
                      const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(found, known);
  return fmt::format("{} '{}' is not known ({}known: {})", subject, found,
                     nearest.empty() ? "" : fmt::format("did you mean {}?; ", nearest),
                     fmt::join(known, ", "));
}

}  // namespace plimsoll
