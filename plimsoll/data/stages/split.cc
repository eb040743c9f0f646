#include "plimsoll/data/stages/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/record_set.h"
#include "plimsoll/data/stages/numpy_shuffle.h"

namespace plimsoll {
namespace {

// Records [begin, end) of a list of record numbers that several sources share.
class Listed final : public SourceStage {
 public:
  using List = std::shared_ptr<const std::vector<uint32_t>>;

  Listed(SourcePtr source, List list, int64_t begin, int64_t end)
      : SourceStage(std::move(source)), list_(std::move(list)), begin_(begin), end_(end) {}

  int64_t size() const override { return end_ - begin_; }
  void read(RecordId id, std::span<std::byte* const> into) const override {
    inner().read(moved(id), into);
  }
  std::string name(RecordId id) const override { return inner().name(moved(id)); }
  std::optional<int64_t> class_of(RecordId id) const override {
    return inner().class_of(moved(id));
  }

 private:
  RecordId moved(RecordId id) const {
    return {(*list_)[static_cast<size_t>(begin_ + id.number)], id.epoch};
  }

  List list_;
  int64_t begin_, end_;
};

// The records that are in a set, or those that are not.
class Selected final : public SourceStage {
 public:
  Selected(SourcePtr source, std::shared_ptr<const RecordSet> set, bool members)
      : SourceStage(std::move(source)), set_(std::move(set)), members_(members) {}

  int64_t size() const override { return set_->count(members_); }
  void read(RecordId id, std::span<std::byte* const> into) const override {
    inner().read(moved(id), into);
  }
  std::string name(RecordId id) const override { return inner().name(moved(id)); }
  std::optional<int64_t> class_of(RecordId id) const override {
    return inner().class_of(moved(id));
  }

 private:
  RecordId moved(RecordId id) const { return {set_->find(id.number, members_), id.epoch}; }

  std::shared_ptr<const RecordSet> set_;
  bool members_;
};

std::string fraction_text(const SplitOptions& options) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", options.validation_split);
  return text;
}

void refuse_empty(const SplitOptions& options, int64_t size, int64_t validation) {
  if (validation > 0 && validation < size) return;
  throw InvalidArgument(
      fmt::format("data: validation_split {} of {} records leaves one part empty: {} would be for "
                  "validation; choose another fraction",
                  fraction_text(options), size, validation));
}

SplitSources split_in_order(const SourcePtr& source, const SplitOptions& options) {
  const int64_t size = source->size();
  const auto last = static_cast<int64_t>(options.validation_split * static_cast<double>(size));
  const int64_t train = size - last;
  const int64_t validation = std::max<int64_t>(0, last - source->overlap());
  refuse_empty(options, size, validation);
  if (!options.seed) return {subset(source, 0, train), subset(source, size - validation, size)};
  const auto list =
      std::make_shared<const std::vector<uint32_t>>(numpy_shuffle(size, *options.seed));
  return {std::make_shared<Listed>(source, list, 0, train),
          std::make_shared<Listed>(source, list, train, size)};
}

std::string_view below(std::string_view root, std::string_view name) {
  while (root.ends_with('/')) root.remove_suffix(1);
  if (!name.starts_with(root)) return name;
  name.remove_prefix(root.size());
  while (name.starts_with('/')) name.remove_prefix(1);
  return name;
}

SplitSources split_by_hash(const SourcePtr& source, const SplitOptions& options) {
  const auto set = std::make_shared<RecordSet>();
  set->reserve(source->size());
  for (int64_t i = 0; i < source->size(); ++i)
    set->push_back(split_position(below(options.root, source->name(i))) < options.validation_split);
  refuse_empty(options, source->size(), set->count(true));
  return {std::make_shared<Selected>(source, set, false),
          std::make_shared<Selected>(source, set, true)};
}

}  // namespace

// FNV-1a, then a finaliser, for its upper bits hardly depend on the last letters.
double split_position(std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccd;
  hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53;
  hash ^= hash >> 33;
  return static_cast<double>(hash >> 11) * 0x1p-53;
}

SplitOptions::By split_by(const std::string& name) {
  if (name == "order") return SplitOptions::By::order;
  if (name == "hash") return SplitOptions::By::hash;
  throw InvalidArgument("split_by: expected order or hash, found '" + name + "'");
}

SplitSources split(const SourcePtr& source, const SplitOptions& options) {
  if (!(options.validation_split > 0 && options.validation_split < 1))
    throw InvalidArgument("data: validation_split must be between 0 and 1, found " +
                          fraction_text(options));
  if (source->overlap() > 0 && (options.by == SplitOptions::By::hash || options.seed))
    throw InvalidArgument(
        "data: the records are windows over a series and share rows, so they are split by their "
        "order and not shuffled before; leave the seed and the hash (--split-by hash) out");
  return options.by == SplitOptions::By::order ? split_in_order(source, options)
                                               : split_by_hash(source, options);
}

}  // namespace plimsoll
