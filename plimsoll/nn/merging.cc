#include "plimsoll/nn/merging.h"

#include "plimsoll/nn/make_layer.h"
#include "plimsoll/ops/elementwise.h"
#include "plimsoll/ops/movement.h"

namespace plimsoll {
namespace {

class MergingBody : public LayerBody {
 public:
  int input_count() const override { return 0; }

 protected:
  void check(const Specs& inputs) const override {
    if (inputs.size() < 2)
      refuse("expected a list of two or more tensors, found " + std::to_string(inputs.size()));
  }
};

using Merge = Tensor (*)(const Operand&, const Operand&);

// Folds the inputs with one op, from the first to the last.
class FoldBody final : public MergingBody {
 public:
  FoldBody(std::string_view class_name, Merge merge) : class_name_(class_name), merge_(merge) {}
  std::string_view class_name() const override { return class_name_; }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    Tensor merged = inputs[0];
    for (size_t i = 1; i < inputs.size(); ++i) merged = merge_(merged, inputs[i]);
    if (class_name_ == "Average") merged = merged / static_cast<double>(inputs.size());
    return {merged};
  }

 protected:
  void check(const Specs& inputs) const override {
    MergingBody::check(inputs);
    if (class_name_ == "Subtract" && inputs.size() != 2)
      refuse("expected two tensors, found " + std::to_string(inputs.size()));
  }

 private:
  std::string_view class_name_;
  Merge merge_;
};

std::shared_ptr<LayerBody> make_fold(std::string_view class_name, Merge merge,
                                     const MergeOptions& options) {
  auto body = std::make_shared<FoldBody>(class_name, merge);
  body->set_name(options.name.empty() ? unique_name(class_name) : options.name);
  body->set_trainable(options.trainable);
  return body;
}

class ConcatenateBody final : public MergingBody {
 public:
  explicit ConcatenateBody(const ConcatenateOptions& options) : axis_(options.axis) {}
  std::string_view class_name() const override { return "Concatenate"; }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {concatenate(inputs, axis_)};
  }

 private:
  int axis_;
};

}  // namespace

Add::Add(const MergeOptions& options) : Layer(make_fold("Add", add, options)) {}
Subtract::Subtract(const MergeOptions& options) : Layer(make_fold("Subtract", subtract, options)) {}
Multiply::Multiply(const MergeOptions& options) : Layer(make_fold("Multiply", multiply, options)) {}
Average::Average(const MergeOptions& options) : Layer(make_fold("Average", add, options)) {}
Maximum::Maximum(const MergeOptions& options) : Layer(make_fold("Maximum", maximum, options)) {}
Minimum::Minimum(const MergeOptions& options) : Layer(make_fold("Minimum", minimum, options)) {}

Concatenate::Concatenate(const ConcatenateOptions& options)
    : Layer(make_layer<ConcatenateBody>(options)) {}

}  // namespace plimsoll
