// from_generator() for records that are made one after the other.
#include <fmt/format.h>

#include <mutex>
#include <string>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/generator.h"
#include "plimsoll/data/sources/record_file.h"

namespace plimsoll {
namespace {

class Spooled final : public Source {
 public:
  Spooled(Specs fields, NextRecord next, const GeneratorOptions& options)
      : fields_(std::move(fields)), next_(std::move(next)), file_(options.folder, fields_) {
    if (fields_.empty())
      throw InvalidArgument("generator: expected at least one field, found none");
    if (!next_) throw InvalidArgument("generator: there is no function");
    if (options.records.value_or(1) < 1)
      throw InvalidArgument(
          fmt::format("generator: expected 1 record or more, found {}", *options.records));
    for (const Spec& field : fields_) {
      room_.push_back(std::make_shared<Storage>(field.bytes()));
      places_.push_back(room_.back()->data());
    }
    if (options.records) {
      size_ = *options.records;
      return;
    }
    while (make_next()) {
    }
    size_ = made_;
  }

  int64_t size() const override { return size_; }
  const Specs& fields() const override { return fields_; }
  void read(RecordId id, std::span<std::byte* const> into) const override {
    make_until(id.number);
    file_.read(id.number, into);
  }

 private:
  void make_until(int64_t record) const {
    const std::lock_guard lock(mutex_);
    while (made_ <= record)
      if (!make_next())
        throw InvalidArgument(
            fmt::format("generator: it ended after {} of {} records", made_, size_));
  }

  bool make_next() const {
    if (!next_(RecordWriter(fields_, places_))) return false;
    file_.write(made_++, places_);
    return true;
  }

  Specs fields_;
  NextRecord next_;
  int64_t size_ = 0;
  mutable std::mutex mutex_;  // of all below
  mutable int64_t made_ = 0;
  mutable RecordFile file_;
  std::vector<StoragePtr> room_;  // for one record
  std::vector<std::byte*> places_;
};

}  // namespace

SourcePtr from_generator(const Specs& fields, NextRecord next, const GeneratorOptions& options) {
  return std::make_shared<Spooled>(fields, std::move(next), options);
}

}  // namespace plimsoll
