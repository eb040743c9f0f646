#include "plimsoll/data/shuffled.h"

#include <utility>

#include "plimsoll/data/permutation.h"

namespace plimsoll {
namespace {

class Shuffled final : public Source {
 public:
  Shuffled(SourcePtr source, int64_t seed)
      : source_(std::move(source)), order_(source_->size(), shuffle_key(seed, -1)) {}

  int64_t size() const override { return source_->size(); }
  const Specs& fields() const override { return source_->fields(); }
  void read(int64_t record, std::span<std::byte* const> into) const override {
    source_->read(order_(record), into);
  }
  std::string name(int64_t record) const override { return source_->name(order_(record)); }
  std::span<const std::string> class_names() const override { return source_->class_names(); }

 private:
  SourcePtr source_;
  Permutation order_;
};

}  // namespace

SourcePtr shuffled(SourcePtr source, int64_t seed) {
  return std::make_shared<Shuffled>(std::move(source), seed);
}

}  // namespace plimsoll
