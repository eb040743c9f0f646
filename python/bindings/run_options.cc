#include "python/bindings/run_options.h"

#include <nanobind/stl/map.h>

#include "plimsoll/base/error.h"
#include "plimsoll/train/data/validation_split.h"
#include "python/bindings/callback.h"

namespace plimsoll::python {
namespace {

std::optional<int64_t> number(const nb::dict& options, const char* key) {
  const nb::object found = options.get(key, nb::none());
  return found.is_none() ? std::nullopt : std::optional(nb::cast<int64_t>(nb::int_(found)));
}

std::string text(const nb::dict& options, const char* key, std::string missing = {}) {
  const nb::object found = options.get(key, nb::none());
  return found.is_none() ? missing : nb::cast<std::string>(nb::str(found));
}

Callbacks callbacks_of(const nb::dict& options) {
  Callbacks callbacks;
  for (const nb::handle callback : options.get("callbacks", nb::list()))
    callbacks.push_back(nb::cast<AnyCallback>(callback));
  return callbacks;
}

ReadingOptions reading_of(const nb::dict& options) {
  ReadingOptions reading;
  if (text(options, "on_bad_record") == "skip") reading.bad.then = OnBadRecord::skip;
  const nb::object most = options.get("max_bad", nb::none());
  if (!most.is_none()) reading.bad.most = nb::cast<double>(most);
  reading.allow_not_finite = nb::cast<bool>(options.get("allow_not_finite", nb::bool_(false)));
  if (const auto workers = number(options, "workers")) reading.workers = static_cast<int>(*workers);
  return reading;
}

// `save_model` writes the model of the program into a file; None: fit keeps checkpoints alone.
void keep_record(const nb::dict& options, CheckpointOptions& checkpoints) {
  const nb::object save = options.get("save_model", nb::none());
  checkpoints.keeps_record = !save.is_none();
  if (save.is_none()) return;
  const auto kept = std::make_shared<const Reference>(save);
  checkpoints.save_model = [kept](const std::string& path) {
    const nb::gil_scoped_acquire gil;
    try {
      kept->get()(path);
    } catch (const nb::python_error& error) {
      // Ctrl-C is not lost: it comes again where fit looks for it.
      if (error.matches(PyExc_KeyboardInterrupt)) PyErr_SetInterrupt();
      throw Error(nb::cast<std::string>(nb::str(error.value())));
    }
  };
}

}  // namespace

bool asks_for_balance(const nb::dict& options) {
  return text(options, "class_weight") == "balanced";
}

ClassWeight balanced_weights(const Dataset& data, double validation_split) {
  if (data.source->stream() != nullptr)
    throw InvalidArgument(
        "fit: class_weight=\"balanced\" counts the classes before the run, and this data comes "
        "batch by batch; give a weight for each class number, such as {0: 1.0, 1: 2.5}");
  const Dataset train = split_last(data, validation_split).train;
  const auto inputs = std::ssize(train.source->fields()) - train.targets - train.sample_weights;
  return balanced_class_weight(train, static_cast<int>(inputs));
}

FitOptions fit_options(const nb::dict& options) {
  FitOptions fit{.epochs = number(options, "epochs").value_or(1),
                 .batch_size = number(options, "batch_size"),
                 .steps_per_epoch = number(options, "steps_per_epoch"),
                 .initial_epoch = number(options, "initial_epoch").value_or(0),
                 .shuffle = nb::cast<bool>(options.get("shuffle", nb::bool_(true)))};
  const nb::object weights = options.get("class_weight", nb::none());
  if (!weights.is_none() && !asks_for_balance(options))
    fit.class_weight = nb::cast<ClassWeight>(weights);
  const nb::object validation = options.get("validation_data", nb::none());
  if (!validation.is_none()) fit.validation_data = nb::cast<Dataset>(validation);
  fit.validation_split = nb::cast<double>(options.get("validation_split", nb::float_(0)));
  fit.validation_batch_size = number(options, "validation_batch_size");
  fit.validation_steps = number(options, "validation_steps");
  const nb::object epochs = options.get("validation_epochs", nb::none());
  fit.validation_freq = ValidationFrequency(number(options, "validation_freq").value_or(1));
  if (!epochs.is_none()) fit.validation_freq.epochs = nb::cast<std::vector<int64_t>>(epochs);
  fit.memory = text(options, "memory");
  fit.reading = reading_of(options);
  fit.on_bad_step = on_bad_step_of(text(options, "on_bad_step", "stop"));
  fit.run = text(options, "run");
  fit.max_time = text(options, "max_time");
  fit.checkpoints.takes_signals = nb::cast<bool>(options.get("takes_signals", nb::bool_(false)));
  fit.checkpoints.every_steps = number(options, "checkpoint_steps").value_or(0);
  fit.checkpoints.allow_changed = nb::cast<bool>(options.get("allow_changed", nb::bool_(false)));
  keep_record(options, fit.checkpoints);
  fit.verbose = 0;
  fit.callbacks = callbacks_of(options);
  return fit;
}

EvaluateOptions evaluate_options(const nb::dict& options) {
  return {.batch_size = number(options, "batch_size"),
          .steps = number(options, "steps"),
          .memory = text(options, "memory"),
          .reading = reading_of(options),
          .callbacks = callbacks_of(options)};
}

PredictOptions predict_options(const nb::dict& options) {
  return {.batch_size = number(options, "batch_size"),
          .steps = number(options, "steps"),
          .memory = text(options, "memory"),
          .reading = reading_of(options),
          .callbacks = callbacks_of(options)};
}

}  // namespace plimsoll::python
