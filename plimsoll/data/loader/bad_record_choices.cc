#include "plimsoll/data/loader/bad_record_choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plimsoll {

// BadRecords rounds the number of records that a share allows down.
std::string skipping_options(int64_t bad, int64_t records) {
  constexpr int64_t kParts = 100;
  if (bad >= records) return "";
  const auto allows = [&](double share) {
    return static_cast<int64_t>(std::floor(share * static_cast<double>(records))) >= bad;
  };
  if (allows(kUsualMostBad)) return "--on-bad-record skip";
  int64_t part = 1;
  while (part < kParts && !allows(static_cast<double>(part) / kParts)) ++part;
  return fmt::format("--on-bad-record skip --max-bad {}", static_cast<double>(part) / kParts);
}

}  // namespace plimsoll
