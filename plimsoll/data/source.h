// Source: records with random access, each with the same fields (inputs first, then targets).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/tensor/host_tensor.h"

namespace plimsoll {

// A record, and the pass over the data in which it is read: what is random in a record (its
// augmentation, its place in a shuffle) is a function of both.
struct RecordId {
  RecordId(int64_t record, int64_t pass = 0) : number(record), epoch(pass) {}
  bool operator==(const RecordId&) const = default;

  int64_t number, epoch;
};

class StreamSource;

class Source {
 public:
  virtual ~Source() = default;
  virtual int64_t size() const = 0;
  // The fields of one record, without a batch axis.
  virtual const Specs& fields() const = 0;
  // Writes each field of the record where `into` says. Safe to call from several threads. A record
  // that cannot be read is an error that names it.
  virtual void read(RecordId id, std::span<std::byte* const> into) const = 0;
  // Writes `count` records from `first` on, one after the other, and moves `into` past the last of
  // them. The result is that of calling read() for each.
  virtual void read_run(RecordId first, int64_t count, std::span<std::byte*> into) const;
  // What a person calls the record: "photos/cats/3.jpg", "x.npz[17]", "a.csv:18".
  virtual std::string name(RecordId id) const { return std::to_string(id.number); }
  // What a person calls one number of a record: "column 'age'". Empty where the data has no name
  // for it; then element_place() (element_place.h) is what it is called.
  virtual std::string element_name(size_t field, int64_t element) const;
  // True if reading only copies memory, so that reading ahead saves no time.
  virtual bool is_in_memory() const { return false; }
  // The names of the classes, by their numbers; empty where the data does not have them.
  virtual std::span<const std::string> class_names() const { return {}; }
  // The stream that its records come from batch by batch, if they do (sources/stream.h). Then it
  // has no size, and only a StreamLoader can read it.
  virtual const StreamSource* stream() const { return nullptr; }
  // How many of the records after a record share data with it, as windows over a series do. A split
  // leaves so many out between its parts.
  virtual int64_t overlap() const { return 0; }
  // True if a number is the same record in every epoch.
  virtual bool has_fixed_order() const { return true; }
  // True if every epoch has the same records, in whatever order. Part of a source that is shuffled
  // anew has other ones each time.
  virtual bool has_same_records() const { return has_fixed_order(); }
  // A hash (base/xxh3.h) of what can be known of the files of all records without reading them, so
  // that a file that was replaced shows: their sizes, or the checksums of an archive. Empty where
  // nothing is known. A source made of part of another has that of the whole.
  virtual std::string files_hash() const { return {}; }
  // The number of a record's class, if that is known without reading the record.
  virtual std::optional<int64_t> class_of(RecordId) const { return std::nullopt; }
};

using SourcePtr = std::shared_ptr<const Source>;

// A source made of another one: as that, but for what it overrides.
class SourceStage : public Source {
 public:
  explicit SourceStage(SourcePtr source) : source_(std::move(source)) {}

  int64_t size() const override { return source_->size(); }
  const Specs& fields() const override { return source_->fields(); }
  void read(RecordId id, std::span<std::byte* const> into) const override {
    source_->read(id, into);
  }
  std::string name(RecordId id) const override { return source_->name(id); }
  std::string element_name(size_t field, int64_t element) const override {
    return source_->element_name(field, element);
  }
  bool is_in_memory() const override { return source_->is_in_memory(); }
  std::span<const std::string> class_names() const override { return source_->class_names(); }
  int64_t overlap() const override { return source_->overlap(); }
  bool has_fixed_order() const override { return source_->has_fixed_order(); }
  bool has_same_records() const override {
    return size() == source_->size() ? source_->has_same_records() : source_->has_fixed_order();
  }
  std::string files_hash() const override { return source_->files_hash(); }
  const StreamSource* stream() const override { return source_->stream(); }

 protected:
  const Source& inner() const { return *source_; }

 private:
  SourcePtr source_;
};

// Of several sources together.
std::string files_hash_of(std::span<const SourcePtr> sources);

// Slices along axis 0 of tensors that are in memory; nothing is copied. InvalidArgument if they
// do not agree on the number of records.
SourcePtr from_tensor_slices(std::vector<HostTensor> tensors);

// Records [begin, end) of another source.
SourcePtr subset(SourcePtr source, int64_t begin, int64_t end);

}  // namespace plimsoll
