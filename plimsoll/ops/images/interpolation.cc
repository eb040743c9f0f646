#include "plimsoll/ops/images/interpolation.h"

#include <iterator>
#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/base/nearest_name.h"

namespace plimsoll {
namespace {

constexpr std::string_view kInterpolations[] = {"nearest", "bilinear", "bicubic", "lanczos3",
                                                "lanczos5"};

}  // namespace

std::string_view name_of(Interpolation interpolation) {
  return kInterpolations[static_cast<size_t>(interpolation)];
}

Interpolation interpolation_of(std::string_view name) {
  std::vector<std::string> known;
  for (size_t i = 0; i < std::size(kInterpolations); ++i) {
    if (name == kInterpolations[i]) return static_cast<Interpolation>(i);
    known.emplace_back(kInterpolations[i]);
  }
  throw InvalidArgument(not_known("interpolation:", name, known));
}

}  // namespace plimsoll
