#include "plimsoll/data/stages/shuffled.h"

#include <utility>

#include "plimsoll/data/stages/permutation.h"

namespace plimsoll {
namespace {

class Shuffled final : public SourceStage {
 public:
  Shuffled(SourcePtr source, const ShuffleOptions& options)
      : SourceStage(std::move(source)), options_(options) {}

  void read(RecordId id, std::span<std::byte* const> into) const override {
    inner().read(moved(id), into);
  }
  std::string name(RecordId id) const override { return inner().name(moved(id)); }
  bool has_fixed_order() const override {
    return !options_.reshuffle_each_epoch && inner().has_fixed_order();
  }

 private:
  RecordId moved(RecordId id) const {
    const int64_t pass = options_.reshuffle_each_epoch ? id.epoch : -1;
    return {Permutation(size(), shuffle_key(options_.seed, pass))(id.number), id.epoch};
  }

  ShuffleOptions options_;
};

}  // namespace

SourcePtr shuffled(SourcePtr source, const ShuffleOptions& options) {
  return std::make_shared<Shuffled>(std::move(source), options);
}

}  // namespace plimsoll
