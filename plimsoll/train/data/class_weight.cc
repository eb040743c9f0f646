#include "plimsoll/train/data/class_weight.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

int64_t class_of(const std::byte* label, const Spec& spec) {
  return visit_dtype(spec.dtype, [&]<class T>(T) {
    const T* values = reinterpret_cast<const T*>(label);
    const int64_t count = spec.shape.elements();
    if (count > 1) return static_cast<int64_t>(std::max_element(values, values + count) - values);
    return static_cast<int64_t>(std::llrint(static_cast<double>(*values)));
  });
}

class ClassWeighted final : public SourceStage {
 public:
  ClassWeighted(SourcePtr source, int target, ClassWeight weights)
      : SourceStage(std::move(source)),
        target_(static_cast<size_t>(target)),
        weights_(std::move(weights)),
        fields_(inner().fields()) {
    fields_.push_back({DType::float32, {}});
  }

  const Specs& fields() const override { return fields_; }

  void read(RecordId id, std::span<std::byte* const> into) const override {
    inner().read(id, into.first(into.size() - 1));
    const auto found = weights_.find(class_of(into[target_], fields_[target_]));
    const float weight = found == weights_.end() ? 1.0f : static_cast<float>(found->second);
    std::memcpy(into.back(), &weight, sizeof weight);
  }

 private:
  size_t target_;
  ClassWeight weights_;
  Specs fields_;
};

}  // namespace

Dataset with_class_weight(const Dataset& data, int target, const ClassWeight& weights) {
  if (data.sample_weights > 0)
    throw InvalidArgument("class_weight and sample_weight cannot be given together");
  const Spec& label = data.source->fields()[static_cast<size_t>(target)];
  if (label.shape.rank() > 1)
    throw InvalidArgument("class_weight needs one class per sample, found targets of shape " +
                          label.shape.to_string() + " each; use sample_weight");
  Dataset weighted = data;
  weighted.source = std::make_shared<ClassWeighted>(data.source, target, weights);
  weighted.sample_weights = 1;
  if (!weighted.names.empty()) weighted.names.emplace_back();
  return weighted;
}

}  // namespace plimsoll
