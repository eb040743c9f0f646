#include "plimsoll/data/sources/shared_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

std::string list_of(const std::vector<std::string>& names) {
  constexpr size_t kShown = 5;
  return fmt::format("{}{}",
                     fmt::join(std::span(names).first(std::min(names.size(), kShown)), ", "),
                     names.size() > kShown ? ", …" : "");
}

}  // namespace

void share_classes(const std::string& path, const std::string& column,
                   const std::vector<std::string>& found, std::vector<std::string>& shared) {
  if (!shared.empty() && shared != found)
    throw InvalidArgument(fmt::format(
        "{}: the classes of the target '{}' are {}, those of another target are {}; targets of "
        "text must have the same classes, because a model keeps one list (write the numbers of the "
        "classes into all of these columns but one)",
        path, column, list_of(found), list_of(shared)));
  shared = found;
}

}  // namespace plimsoll
