#include "plimsoll/graph/place.h"

#include <fmt/format.h>

#include "plimsoll/graph/interned.h"

namespace plimsoll {

Place Place::at(std::string_view file, unsigned line) {
  return {interned(file)->c_str(), line};
}

std::string Place::to_string() const {
  const std::string_view path = file;
  return fmt::format("{}:{}", path.substr(path.find_last_of('/') + 1), line);
}

}  // namespace plimsoll
