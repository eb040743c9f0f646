#include <array>

#include "plimsoll/data/check/check_duplicates.h"
#include "plimsoll/data/check/check_images.h"
#include "plimsoll/data/check/check_labels.h"
#include "plimsoll/data/check/check_numbers.h"
#include "plimsoll/data/check/record_check.h"

namespace plimsoll {
namespace {

constexpr std::array<RecordCheckKind, 4> kChecks = {{
    {"numbers", check_numbers},
    {"labels", check_labels},
    {"images", check_images},
    {"duplicates", check_duplicates},
}};

}  // namespace

void RecordCheck::look_at_file(int64_t, const std::string&, std::span<const std::byte>) {}

std::span<const RecordCheckKind> record_checks() {
  return kChecks;
}

}  // namespace plimsoll
