#include "plimsoll/graph/interned.h"

#include <functional>
#include <mutex>
#include <unordered_set>

namespace plimsoll {
namespace {

// Looks up a view without making a string of it.
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

struct Texts {
  std::mutex mutex;
  // Node-based: pointers to its elements survive growth.
  std::unordered_set<std::string, TextHash, std::equal_to<>> texts;
};

}  // namespace

const std::string* interned(std::string_view text) {
  // Never destroyed: static objects may hold nodes.
  static auto* const kept = new Texts;
  const std::lock_guard lock(kept->mutex);
  const auto found = kept->texts.find(text);
  return found != kept->texts.end() ? &*found : &*kept->texts.emplace(text).first;
}

}  // namespace plimsoll
