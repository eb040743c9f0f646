#include "plimsoll/guards/reduce/fewest.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace plimsoll {
namespace {

using Items = std::vector<int64_t>;

class Search {
 public:
  Search(Items items, const std::function<bool(const Items&)>& still_fails,
         const std::function<bool()>& is_over)
      : still_fails_(still_fails), is_over_(is_over), kept_(std::move(items)) {}

  Fewest run() {
    size_t parts = 2;
    while (kept_.size() > 1 && !ended_) {
      parts = std::min(parts, kept_.size());
      if (goes_on_in_a_part(parts))
        parts = 2;
      else if (goes_on_without_a_part(parts))
        parts = std::max<size_t>(parts - 1, 2);
      else if (parts == kept_.size())
        break;
      else
        parts *= 2;
    }
    return {std::move(kept_), trials_, !ended_};
  }

 private:
  bool fails(const Items& some) {
    const auto known = tried_.find(some);
    if (known != tried_.end()) return known->second;
    if (is_over_ && is_over_()) ended_ = true;
    if (ended_) return false;
    ++trials_;
    return tried_[some] = still_fails_(some);
  }

  // Where part `index` of so many begins.
  size_t begin_of(size_t index, size_t parts) const { return index * kept_.size() / parts; }

  Items part(size_t index, size_t parts) const {
    const auto at = [&](size_t i) {
      return kept_.begin() + static_cast<ptrdiff_t>(begin_of(i, parts));
    };
    return {at(index), at(index + 1)};
  }

  Items without(size_t index, size_t parts) const {
    Items rest = kept_;
    rest.erase(rest.begin() + static_cast<ptrdiff_t>(begin_of(index, parts)),
               rest.begin() + static_cast<ptrdiff_t>(begin_of(index + 1, parts)));
    return rest;
  }

  bool goes_on_in_a_part(size_t parts) {
    for (size_t i = 0; i < parts && !ended_; ++i)
      if (take_if_fails(part(i, parts))) return true;
    return false;
  }

  // Of two parts, the rest is the other one.
  bool goes_on_without_a_part(size_t parts) {
    for (size_t i = 0; i < parts && !ended_ && parts > 2; ++i)
      if (take_if_fails(without(i, parts))) return true;
    return false;
  }

  bool take_if_fails(Items some) {
    if (some.empty() || !fails(some)) return false;
    kept_ = std::move(some);
    return true;
  }

  const std::function<bool(const Items&)>& still_fails_;
  const std::function<bool()>& is_over_;
  Items kept_;
  std::map<Items, bool> tried_;
  int64_t trials_ = 0;
  bool ended_ = false;
};

}  // namespace

Fewest fewest(Items items, const std::function<bool(const Items&)>& still_fails,
              const std::function<bool()>& is_over) {
  return Search(std::move(items), still_fails, is_over).run();
}

}  // namespace plimsoll
