#include "plimsoll/data/stages/one_hot_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "plimsoll/base/flaw.h"

namespace plimsoll {
namespace {

class OneHotLabels final : public SourceStage {
 public:
  OneHotLabels(SourcePtr source, int field, int64_t classes)
      : SourceStage(std::move(source)), field_(static_cast<size_t>(field)), classes_(classes) {
    fields_ = inner().fields();
    const Spec& labels = fields_.at(field_);
    dtype_ = labels.dtype;
    const int64_t room = classes * size_of(DType::float32);
    if (!is_integer(dtype_) || labels.shape.rank() != 0 || labels.bytes() > room)
      throw InvalidArgument(
          fmt::format("one_hot_labels: expected a field of integers and no dimension, found {} and "
                      "{} class(es)",
                      labels.to_string(), classes));
    fields_[field_] = {DType::float32, {classes}};
  }

  const Specs& fields() const override { return fields_; }

  void read(RecordId id, std::span<std::byte* const> into) const override {
    inner().read(id, into);  // the number is read to the place of the vector's first element
    const int64_t label = visit_dtype(dtype_, [&](auto number) {
      std::memcpy(&number, into[field_], sizeof number);
      return static_cast<int64_t>(number);
    });
    if (label < 0 || label >= classes_)
      throw FlawedRecord(Flaw::label,
                         fmt::format("{}: the label is {}, expected a whole number from 0 to {}",
                                     name(id), label, classes_ - 1));
    auto* vector = reinterpret_cast<float*>(into[field_]);
    std::fill_n(vector, classes_, 0.0f);
    vector[label] = 1;
  }

 private:
  size_t field_;
  int64_t classes_;
  DType dtype_ = DType::int32;  // of the numbers
  Specs fields_;
};

}  // namespace

SourcePtr one_hot_labels(SourcePtr source, int field, int64_t classes) {
  return std::make_shared<OneHotLabels>(std::move(source), field, classes);
}

}  // namespace plimsoll
