// The class KeptWeights: a copy of a model's weights that the plan counts.
#include "plimsoll/train/callbacks/kept_weights.h"

#include "plimsoll/train/callbacks/callback.h"
#include "plimsoll/train/model.h"
#include "python/bindings/arrays.h"

namespace plimsoll::python {
namespace {

// A callback of the program keeps and restores; the engine makes room, and puts it into
// checkpoints.
class Room final : public Callback {
 public:
  explicit Room(std::shared_ptr<KeptWeights> weights) : weights_(std::move(weights)) {}

  void on_train_begin(TrainingState& state) override { weights_->reserve(state.model); }
  int64_t planned_bytes(const Model& model) const override {
    return weights_->planned_bytes(model);
  }
  void save_state(StateWriter& to) const override { weights_->save_state(to); }
  void load_state(const StateReader& from) override { weights_->load_state(from); }

 private:
  std::shared_ptr<KeptWeights> weights_;
};

nb::list arrays_of(const KeptWeights& weights) {
  nb::list arrays;
  for (const Tensor& tensor : weights.tensors()) arrays.append(copied_array(tensor));
  return arrays;
}

}  // namespace

void bind_kept_weights(nb::module_& module) {
  using NoGil = nb::call_guard<RefusesInFork, nb::gil_scoped_release>;
  nb::class_<KeptWeights>(module, "KeptWeights")
      .def(nb::init<>())
      .def("callback",
           [](const std::shared_ptr<KeptWeights>& weights) {
             return AnyCallback(std::make_shared<Room>(weights));
           })
      .def("keep", &KeptWeights::keep, NoGil())
      .def("restore", &KeptWeights::restore, NoGil())
      .def("forget", &KeptWeights::forget)
      .def_prop_ro("has_weights", &KeptWeights::has_weights)
      .def("arrays", arrays_of, NeedsThreads());
}

}  // namespace plimsoll::python
