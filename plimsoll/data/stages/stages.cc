#include "plimsoll/data/stages/stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

// Record i is another record of the source.
class Renumbered final : public SourceStage {
 public:
  using Rule = std::function<RecordId(RecordId)>;

  Renumbered(SourcePtr source, int64_t size, Rule rule)
      : SourceStage(std::move(source)), size_(size), rule_(std::move(rule)) {}

  int64_t size() const override { return size_; }
  void read(RecordId id, std::span<std::byte* const> into) const override {
    inner().read(rule_(id), into);
  }
  std::string name(RecordId id) const override { return inner().name(rule_(id)); }

 private:
  int64_t size_;
  Rule rule_;
};

int64_t at_most(const Source& source, int64_t count, const char* stage) {
  if (count < 0)
    throw InvalidArgument(fmt::format("{}: expected 0 records or more, found {}", stage, count));
  return std::min(count, source.size());
}

}  // namespace

SourcePtr take(SourcePtr source, int64_t count) {
  const int64_t end = at_most(*source, count, "take");
  return subset(std::move(source), 0, end);
}

SourcePtr skip(SourcePtr source, int64_t count) {
  const int64_t begin = at_most(*source, count, "skip"), end = source->size();
  return subset(std::move(source), begin, end);
}

SourcePtr shard(SourcePtr source, int64_t count, int64_t index) {
  if (count < 1 || index < 0 || index >= count)
    throw InvalidArgument(fmt::format(
        "shard: expected an index of 0 to the number of shards, found {} of {}", index, count));
  const int64_t size = (source->size() - index + count - 1) / count;
  return std::make_shared<Renumbered>(
      std::move(source), std::max<int64_t>(0, size),
      [=](RecordId id) { return RecordId(index + id.number * count, id.epoch); });
}

SourcePtr repeat(SourcePtr source, int64_t times) {
  const int64_t size = source->size();
  if (times < 1 || (size > 0 && times > std::numeric_limits<int64_t>::max() / size))
    throw InvalidArgument(fmt::format("repeat: expected 1 time or more, found {}", times));
  return std::make_shared<Renumbered>(std::move(source), size * times, [=](RecordId id) {
    return RecordId(id.number % size, id.epoch * times + id.number / size);
  });
}

}  // namespace plimsoll
