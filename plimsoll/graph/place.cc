#include "plimsoll/graph/place.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/graph/interned.h"

namespace plimsoll {

Place Place::at(std::string_view file, unsigned line) {
  return {interned(file)->c_str(), line};
}

std::string Place::to_string() const {
  const std::string_view path = file;
  return fmt::format("{}:{}", path.substr(path.find_last_of('/') + 1), line);
}

bool Place::is_in_program() const {
  constexpr std::string_view kThisFile = "graph/place.cc";
  std::string_view library = Place::here().file;
  library.remove_suffix(std::min(library.size(), kThisFile.size()));
  return line > 0 && (library.empty() || !std::string_view(file).starts_with(library));
}

}  // namespace plimsoll
