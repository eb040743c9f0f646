// The doctor: what is wrong with a model that learns badly, while it is trained and afterwards.
#include <nanobind/stl/map.h>

#include "plimsoll/guards/doctor/diagnosis.h"
#include "plimsoll/train/callbacks/live_doctor.h"
#include "plimsoll/train/find_learning_rate.h"
#include "python/bindings/bind.h"
#include "python/bindings/python_words.h"

namespace plimsoll::python {
namespace {

// A LiveDoctor that a run of fit and the program share.
struct Watching {
  std::shared_ptr<LiveDoctor> doctor;
};

using Epochs = std::vector<std::map<std::string, double>>;

nb::dict dict_of(const DiagnosedCause& it) {
  nb::dict where, evidence, found;
  if (!it.layer.empty()) where["layer"] = it.layer;
  if (!it.op.empty()) where["op"] = it.op;
  if (!it.record.empty()) where["record"] = it.record;
  if (!it.line.empty()) where["line"] = it.line;
  for (const auto& [name, value] : it.evidence) evidence[name.c_str()] = value;
  found["cause"] = it.cause;
  found["severity"] = std::string(to_string(it.severity));
  found["confidence"] = it.confidence;
  found["where"] = where;
  found["what"] = in_python_words(it.what);
  found["evidence"] = evidence;
  found["remedy"] = in_python_words(it.remedy);
  found["option"] = in_python_words(it.option);
  return found;
}

nb::dict dict_of(const Diagnosis& diagnosis) {
  nb::dict found;
  nb::list findings;
  for (const DiagnosedCause& it : diagnosis.findings) findings.append(dict_of(it));
  found["verdict"] = std::string(to_string(diagnosis.verdict));
  found["skill"] = diagnosis.skill ? nb::cast(*diagnosis.skill) : nb::none();
  found["findings"] = findings;
  return found;
}

// A story of metrics alone.
RunStory story_of(const Epochs& epochs, int64_t batch_size, int64_t records) {
  RunStory story{.status = "done", .batch_size = batch_size};
  story.planned_epochs = std::ssize(epochs);
  for (const auto& metrics : epochs)
    story.epochs.push_back({.metrics = metrics, .samples = records});
  return story;
}

nb::dict diagnose_model(const Model& model, const Dataset& data, const Watching* watching,
                        const Epochs& epochs, int64_t batch_size, bool is_shuffled,
                        bool has_class_weights, const std::map<std::string, double>& thresholds) {
  Diagnosis diagnosis;
  {
    const nb::gil_scoped_release release;
    TrainingCase found = model.examine(data, {.allow_not_finite = false});
    const bool has_run = watching != nullptr || !epochs.empty();
    if (watching != nullptr) {
      found.model = watching->doctor->model();
      found.run = watching->doctor->story();
    } else if (!epochs.empty()) {
      found.run = story_of(epochs, batch_size, found.data ? found.data->records : 0);
      found.run->is_shuffled = is_shuffled;
      found.run->has_class_weights = has_class_weights;
    }
    // How weights began is not known any more.
    if (has_run && watching == nullptr)
      for (LayerFacts& layer : found.model.layers) layer.kernel_spread = -1;
    diagnosis = diagnose(found, thresholds);
  }
  return dict_of(diagnosis);
}

nb::dict find_rate(Model& model, const Dataset& data, std::optional<int64_t> batch_size,
                   int64_t steps, double least, double largest) {
  FoundLearningRate found;
  {
    const nb::gil_scoped_release release;
    found = find_learning_rate(
        model, data,
        {.least = least, .largest = largest, .steps = steps, .batch_size = batch_size});
  }
  nb::dict dict;
  nb::list rates, losses;
  for (const TriedRate& it : found.trials) {
    rates.append(it.rate);
    losses.append(it.loss);
  }
  dict["learning_rate"] = found.rate ? nb::cast(*found.rate) : nb::none();
  dict["how"] = found.how;
  dict["rates"] = rates;
  dict["losses"] = losses;
  return dict;
}

}  // namespace

void bind_doctor(nb::module_& module) {
  nb::class_<Watching>(module, "LiveDoctor")
      .def("__init__",
           [](Watching* into, const Dataset& data, bool is_shuffled, bool has_class_weights) {
             new (into) Watching{std::make_shared<LiveDoctor>(
                 data, LiveDoctorOptions{.is_shuffled = is_shuffled,
                                         .has_class_weights = has_class_weights})};
           })
      .def("callback", [](const Watching& it) { return AnyCallback(it.doctor); });
  module.def("diagnose", diagnose_model, nb::arg("model"), nb::arg("data"),
             nb::arg("watching").none(), nb::arg("epochs"), nb::arg("batch_size"),
             nb::arg("is_shuffled"), nb::arg("has_class_weights"), nb::arg("thresholds"),
             NeedsThreads());
  module.def("find_learning_rate", find_rate, NeedsThreads());
  module.def("no_data", [] { return Dataset(); });
}

}  // namespace plimsoll::python
