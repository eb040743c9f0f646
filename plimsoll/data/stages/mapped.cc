#include "plimsoll/data/stages/mapped.h"

#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/data/stages/chosen.h"

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
    // The names of the stage below are not for these fields.
    return Source::element_name(field, element);  // NOLINT(bugprone-parent-virtual-call)
  }
  bool is_in_memory() const override { return false; }

 private:
  Specs fields_;
  MapRecord map_;
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
  for_each_record(source, [&](int64_t number, const RecordReader& record) {
    if (keep(record)) numbers.push_back(number);
  });
  numbers.shrink_to_fit();
  return chosen(std::move(source), std::move(numbers));
}

}  // namespace plimsoll
