// tf.custom_gradient: values whose gradient is a function of Python.
#include <cstring>

#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/ops/ops.h"
#include "python/bindings/bind.h"

namespace plimsoll::python {
namespace {

class CopyAllKernel final : public Kernel {
 public:
  explicit CopyAllKernel(const KernelRequest& request) {
    for (const Spec& spec : request.outputs) bytes_.push_back(static_cast<size_t>(spec.bytes()));
  }
  void run(const KernelArguments& arguments) const override {
    for (size_t i = 0; i < bytes_.size(); ++i)
      if (arguments.outputs[i] != arguments.inputs[i])
        std::memcpy(arguments.outputs[i], arguments.inputs[i], bytes_[i]);
  }

 private:
  std::vector<size_t> bytes_;
};

// The first inputs are the values, which come out as they are; the others are what the values were
// computed from. Gradients do not flow to the values: the function says what flows to the others.
class CustomGradient final : public Op {
 public:
  CustomGradient(int64_t values, ReferencePtr function)
      : values_(values), function_(std::move(function)) {}

  std::string_view name() const override { return "custom_gradient"; }
  // Steps that differ in the function alone copy the same values: it is not signed. Every call
  // makes a function, and a loop is to compile once.
  void describe(Attributes& to) const override { to.with("values", values_); }
  Specs infer(std::span<const Spec> in) const override {
    return {in.begin(), in.begin() + values_};
  }
  std::vector<Overwrite> may_overwrite() const override {
    std::vector<Overwrite> pairs;
    for (int i = 0; i < values_; ++i) pairs.push_back({i, i});
    return pairs;
  }
  Tensors gradient(const Node& node, const Tensors& output_gradients) const override {
    const nb::gil_scoped_acquire gil;
    nb::list given;
    for (size_t i = 0; i < output_gradients.size(); ++i)
      given.append(output_gradients[i].defined() ? output_gradients[i]
                                                 : broadcast_to(scalar(0.0f), node.specs[i].shape));
    Tensors gradients(static_cast<size_t>(values_));
    for (const nb::handle found : function_->get()(given))
      gradients.push_back(found.is_none() ? Tensor() : to_tensor(found));
    return gradients;
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return std::make_unique<CopyAllKernel>(request);
  }
  Arrays reference(std::span<const Array> in) const override {
    return {in.begin(), in.begin() + values_};
  }

 private:
  int64_t values_;
  ReferencePtr function_;
};

}  // namespace

void bind_custom_gradient(nb::module_& module) {
  // function(gradients of the values) gives a list with a gradient, or None, for each source.
  module.def("custom_gradient", [](nb::handle values, nb::handle sources, nb::handle function) {
    Tensors inputs = to_tensors(values);
    const auto count = std::ssize(inputs);
    for (Tensor& source : to_tensors(sources)) inputs.push_back(std::move(source));
    return apply_all(
        std::make_shared<CustomGradient>(count, std::make_shared<const Reference>(function)),
        inputs, caller());
  });
}

}  // namespace plimsoll::python
