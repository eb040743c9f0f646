#include "plimsoll/data/mapped.h"

#include <algorithm>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/data/loader.h"

namespace plimsoll {
namespace {

class Changed final : public SourceStage {
 public:
  Changed(SourcePtr source, ChangeRecord change)
      : SourceStage(std::move(source)), change_(std::move(change)) {}

  void read(RecordId id, std::span<std::byte* const> into) const override {
    inner().read(id, into);
    change_(id, RecordWriter(fields(), into));
  }
  bool is_in_memory() const override { return false; }  // the function may take its time

 private:
  ChangeRecord change_;
};

// Room for one record, of each thread.
class RecordRoom {
 public:
  explicit RecordRoom(const Specs& fields) {
    size_t bytes = 0;
    for (const Spec& field : fields) bytes += padded(field);
    bytes_.resize(bytes);
    std::byte* next = bytes_.data();
    for (const Spec& field : fields) {
      places_.push_back(next);
      next += padded(field);
    }
  }
  std::span<std::byte* const> places() const { return places_; }

 private:
  static size_t padded(const Spec& field) {
    return (static_cast<size_t>(field.bytes()) + 15) / 16 * 16;
  }

  std::vector<std::byte> bytes_;
  std::vector<std::byte*> places_;
};

class Mapped final : public SourceStage {
 public:
  Mapped(SourcePtr source, Specs fields, MapRecord map)
      : SourceStage(std::move(source)), fields_(std::move(fields)), map_(std::move(map)) {
    if (fields_.empty()) throw InvalidArgument("map: expected at least one field, found none");
  }

  const Specs& fields() const override { return fields_; }
  void read(RecordId id, std::span<std::byte* const> into) const override {
    const RecordRoom room(inner().fields());
    inner().read(id, room.places());
    map_(id, RecordReader(inner().fields(), room.places()), RecordWriter(fields_, into));
  }
  std::string element_name(size_t field, int64_t element) const override {
    return Source::element_name(field, element);
  }
  bool is_in_memory() const override { return false; }

 private:
  Specs fields_;
  MapRecord map_;
};

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

SourcePtr mapped(SourcePtr source, ChangeRecord change) {
  return std::make_shared<Changed>(std::move(source), std::move(change));
}

SourcePtr mapped(SourcePtr source, const Specs& fields, MapRecord map) {
  return std::make_shared<Mapped>(std::move(source), fields, std::move(map));
}

SourcePtr filtered(SourcePtr source, const KeepRecord& keep) {
  std::vector<int64_t> numbers;
  if (source->size() > 0) {
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
        if (keep(RecordReader(fields, places))) numbers.push_back(loader.record_at(row).number);
      }
    }
  }
  numbers.shrink_to_fit();
  return std::make_shared<Chosen>(std::move(source), std::move(numbers));
}

}  // namespace plimsoll
