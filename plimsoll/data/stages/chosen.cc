#include "plimsoll/data/stages/chosen.h"

#include <utility>

#include "plimsoll/base/threads.h"
#include "plimsoll/data/loader/loader.h"

namespace plimsoll {
namespace {

class Chosen final : public SourceStage {
 public:
  Chosen(SourcePtr source, std::vector<int64_t> numbers)
      : SourceStage(std::move(source)), numbers_(std::move(numbers)) {}

  int64_t size() const override { return static_cast<int64_t>(numbers_.size()); }
  void read(RecordId id, std::span<std::byte* const> into) const override {
    inner().read(moved(id), into);
  }
  std::string name(RecordId id) const override { return inner().name(moved(id)); }

 private:
  RecordId moved(RecordId id) const { return {numbers_[static_cast<size_t>(id.number)], id.epoch}; }

  std::vector<int64_t> numbers_;
};

}  // namespace

void for_each_record(const SourcePtr& source,
                     const std::function<void(int64_t, const RecordReader&)>& visit) {
  if (source->size() == 0) return;
  constexpr int64_t kRead = 64;
  Loader loader(source, kRead, {.workers = thread_count(), .windows = 2});
  const Specs& fields = source->fields();
  std::vector<std::byte*> places(fields.size());
  loader.start_epoch(0);
  while (const int64_t rows = loader.begin_batch()) {
    loader.load();
    for (int64_t row = 0; row < rows; ++row) {
      for (size_t i = 0; i < fields.size(); ++i)
        places[i] =
            const_cast<std::byte*>(loader.field(static_cast<int>(i))) + row * fields[i].bytes();
      visit(loader.record_at(row).number, RecordReader(fields, places));
    }
  }
}

SourcePtr chosen(SourcePtr source, std::vector<int64_t> numbers) {
  return std::make_shared<Chosen>(std::move(source), std::move(numbers));
}

}  // namespace plimsoll
