#include "plimsoll/data/source.h"

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/xxh3.h"

namespace plimsoll {
namespace {

class TensorSlices final : public Source {
 public:
  explicit TensorSlices(std::vector<HostTensor> tensors) : tensors_(std::move(tensors)) {
    if (tensors_.empty()) throw InvalidArgument("data: expected at least one tensor, found none");
    for (const HostTensor& tensor : tensors_) add_field(tensor.spec);
  }

  int64_t size() const override { return tensors_[0].spec.shape[0]; }
  const Specs& fields() const override { return fields_; }

  bool is_in_memory() const override { return true; }

  void read(RecordId id, std::span<std::byte* const> into) const override {
    for (size_t i = 0; i < tensors_.size(); ++i) {
      const int64_t bytes = fields_[i].bytes();
      if (bytes == 0) continue;  // there may be no place for it
      std::memcpy(into[i], tensors_[i].storage->data() + id.number * bytes,
                  static_cast<size_t>(bytes));
    }
  }

 private:
  void add_field(const Spec& spec) {
    if (spec.shape.rank() == 0)
      throw InvalidArgument("data: a scalar has no records; expected axis 0 to be the samples");
    if (spec.shape[0] != size())
      throw InvalidArgument(
          fmt::format("data: the tensors must have the same number of samples, found {} and {}",
                      size(), spec.shape[0]));
    fields_.push_back({spec.dtype, spec.shape.without(0)});
  }

  std::vector<HostTensor> tensors_;
  Specs fields_;
};

class Subset final : public SourceStage {
 public:
  Subset(SourcePtr source, int64_t begin, int64_t end)
      : SourceStage(std::move(source)), begin_(begin), end_(end) {}
  int64_t size() const override { return end_ - begin_; }
  void read(RecordId id, std::span<std::byte* const> into) const override {
    inner().read(moved(id), into);
  }
  void read_run(RecordId first, int64_t count, std::span<std::byte*> into) const override {
    inner().read_run(moved(first), count, into);
  }
  std::string name(RecordId id) const override { return inner().name(moved(id)); }
  std::optional<int64_t> class_of(RecordId id) const override {
    return inner().class_of(moved(id));
  }

 private:
  RecordId moved(RecordId id) const { return {begin_ + id.number, id.epoch}; }

  int64_t begin_, end_;
};

}  // namespace

void Source::read_run(RecordId first, int64_t count, std::span<std::byte*> into) const {
  for (int64_t k = 0; k < count; ++k) {
    read({first.number + k, first.epoch}, into);
    for (size_t i = 0; i < into.size(); ++i) into[i] += fields()[i].bytes();
  }
}

std::string Source::element_name(size_t, int64_t) const {
  return {};
}

std::string files_hash_of(std::span<const SourcePtr> sources) {
  std::string all;
  for (const SourcePtr& source : sources) all += source->files_hash();
  return all.empty() ? all : xxh3_of(all);
}

SourcePtr from_tensor_slices(std::vector<HostTensor> tensors) {
  return std::make_shared<TensorSlices>(std::move(tensors));
}

SourcePtr subset(SourcePtr source, int64_t begin, int64_t end) {
  if (begin < 0 || end < begin || end > source->size())
    throw InvalidArgument(fmt::format("data: records {} to {} are not all there; the source has {}",
                                      begin, end, source->size()));
  return std::make_shared<Subset>(std::move(source), begin, end);
}

}  // namespace plimsoll
