#include "plimsoll/nn/layers/activity_regularization.h"

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"

namespace plimsoll {
namespace {

class ActivityRegularizationBody final : public LayerOf<ActivityRegularizationOptions> {
 public:
  explicit ActivityRegularizationBody(const ActivityRegularizationOptions& options)
      : LayerOf(options) {
    set_activity_regularizer(Regularizer(options.l1, options.l2));
  }
  std::string_view class_name() const override { return "ActivityRegularization"; }
  bool supports_masking() const override { return true; }
  Tensors call(const Tensors& inputs, const CallContext&) override { return {inputs[0]}; }
};

}  // namespace

void describe(Fields& fields, ActivityRegularizationOptions& options) {
  fields.with("l1", options.l1).with("l2", options.l2);
}

ActivityRegularization::ActivityRegularization(const ActivityRegularizationOptions& options)
    : Layer(make_layer<ActivityRegularizationBody>(options)) {}

}  // namespace plimsoll
