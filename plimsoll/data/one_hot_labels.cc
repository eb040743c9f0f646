#include "plimsoll/data/one_hot_labels.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

class OneHotLabels final : public SourceStage {
 public:
  OneHotLabels(SourcePtr source, int field, int64_t classes)
      : SourceStage(std::move(source)), field_(static_cast<size_t>(field)), classes_(classes) {
    fields_ = inner().fields();
    if (fields_.at(field_) != Spec{DType::int32, {}})
      throw InvalidArgument(
          "one_hot_labels: expected a field of type int32 and no dimension, "
          "found " +
          fields_[field_].to_string());
    fields_[field_] = {DType::float32, {classes}};
  }

  const Specs& fields() const override { return fields_; }

  void read(RecordId id, std::span<std::byte* const> into) const override {
    inner().read(id, into);  // the number stands where the vector's first element will
    int32_t label = 0;
    std::memcpy(&label, into[field_], sizeof label);
    if (label < 0 || label >= classes_)
      throw InvalidArgument(name(id) + ": the label is " + std::to_string(label) +
                            ", expected 0 to " + std::to_string(classes_ - 1));
    auto* vector = reinterpret_cast<float*>(into[field_]);
    std::fill_n(vector, classes_, 0.0f);
    vector[label] = 1;
  }

 private:
  size_t field_;
  int64_t classes_;
  Specs fields_;
};

}  // namespace

SourcePtr one_hot_labels(SourcePtr source, int field, int64_t classes) {
  return std::make_shared<OneHotLabels>(std::move(source), field, classes);
}

}  // namespace plimsoll
