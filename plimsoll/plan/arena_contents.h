// ArenaContents: which writer's bytes each range of an arena holds; for validators.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace plimsoll::plan {

class ArenaContents {
 public:
  static constexpr int64_t kNobody = -1;

  // From here on [begin, end) holds bytes of `writer`.
  void write(int64_t begin, int64_t end, int64_t writer);

  // The first writer in [begin, end) that is not `writer`; none if all bytes are its own.
  std::optional<int64_t> first_stranger(int64_t begin, int64_t end, int64_t writer) const;

 private:
  // Makes `at` the beginning of a range.
  void split(int64_t at);

  std::map<int64_t, int64_t> writers_ = {{0, kNobody}};  // beginning of a range -> its writer
};

}  // namespace plimsoll::plan
