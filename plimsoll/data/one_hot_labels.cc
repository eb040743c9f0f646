#include "plimsoll/data/one_hot_labels.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

class OneHotLabels final : public Source {
 public:
  OneHotLabels(SourcePtr source, int field, int64_t classes)
      : source_(std::move(source)), field_(static_cast<size_t>(field)), classes_(classes) {
    fields_ = source_->fields();
    if (fields_.at(field_) != Spec{DType::int32, {}})
      throw InvalidArgument(
          "one_hot_labels: expected a field of type int32 and no dimension, "
          "found " +
          fields_[field_].to_string());
    fields_[field_] = {DType::float32, {classes}};
  }

  int64_t size() const override { return source_->size(); }
  const Specs& fields() const override { return fields_; }
  std::string name(int64_t record) const override { return source_->name(record); }
  std::span<const std::string> class_names() const override { return source_->class_names(); }

  void read(int64_t record, std::span<std::byte* const> into) const override {
    source_->read(record, into);  // the number stands where the vector's first element will
    int32_t label = 0;
    std::memcpy(&label, into[field_], sizeof label);
    if (label < 0 || label >= classes_)
      throw InvalidArgument(name(record) + ": the label is " + std::to_string(label) +
                            ", expected 0 to " + std::to_string(classes_ - 1));
    auto* vector = reinterpret_cast<float*>(into[field_]);
    std::fill_n(vector, classes_, 0.0f);
    vector[label] = 1;
  }

 private:
  SourcePtr source_;
  size_t field_;
  int64_t classes_;
  Specs fields_;
};

}  // namespace

SourcePtr one_hot_labels(SourcePtr source, int field, int64_t classes) {
  return std::make_shared<OneHotLabels>(std::move(source), field, classes);
}

}  // namespace plimsoll
