#include "plimsoll/data/stages/cached.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/base/memory_budget.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/data/sources/record_file.h"

namespace plimsoll {
namespace {

class RecordMemory {
 public:
  RecordMemory(const Specs& fields, int64_t records) : fields_(fields) {
    int64_t bytes = 0;
    for (const Spec& field : fields) bytes += field.bytes() * records;
    const int64_t room = memory_budget().bytes - process_memory().resident_bytes;
    if (bytes > room)
      throw DoesNotFit(
          fmt::format("cache: {} records take {}, there is room for {}; cache them in a file",
                      records, format_bytes(bytes), format_bytes(room)));
    for (const Spec& field : fields) {
      tensors_.push_back(std::make_shared<Storage>(field.bytes() * records));
      tensors_.back()->touch();
    }
  }

  void write(int64_t record, std::span<std::byte* const> from) {
    for (size_t i = 0; i < fields_.size(); ++i) std::memcpy(place(record, i), from[i], size(i));
  }
  void read(int64_t record, std::span<std::byte* const> into) const {
    for (size_t i = 0; i < fields_.size(); ++i) std::memcpy(into[i], place(record, i), size(i));
  }

 private:
  size_t size(size_t field) const { return static_cast<size_t>(fields_[field].bytes()); }
  std::byte* place(int64_t record, size_t field) const {
    return tensors_[field]->data() + record * fields_[field].bytes();
  }

  Specs fields_;
  std::vector<StoragePtr> tensors_;
};

// `Room` keeps what was read.
template <class Room>
class Cached final : public SourceStage {
 public:
  template <class... Arguments>
  explicit Cached(const SourcePtr& source, const Arguments&... arguments)
      : SourceStage(source), is_kept_(static_cast<size_t>(source->size())), room_(arguments...) {}

  void read(RecordId id, std::span<std::byte* const> into) const override {
    auto& is_kept = is_kept_[static_cast<size_t>(id.number)];
    if (is_kept.load(std::memory_order_acquire)) return room_.read(id.number, into);
    inner().read({id.number, 0}, into);
    const std::lock_guard lock(locks_[static_cast<size_t>(id.number) % locks_.size()]);
    if (is_kept.load(std::memory_order_relaxed)) return room_.read(id.number, into);
    room_.write(id.number, into);
    is_kept.store(true, std::memory_order_release);
  }
  std::string name(RecordId id) const override { return inner().name({id.number, 0}); }

 private:
  mutable std::vector<std::atomic<bool>> is_kept_;  // of each record
  mutable std::array<std::mutex, 64> locks_;        // of who keeps one
  mutable Room room_;
};

}  // namespace

SourcePtr cached(const SourcePtr& source, const std::string& folder) {
  if (folder.empty())
    return std::make_shared<Cached<RecordMemory>>(source, source->fields(), source->size());
  return std::make_shared<Cached<RecordFile>>(source, folder, source->fields());
}

}  // namespace plimsoll
