#include "python/bindings/callback.h"

#include "plimsoll/formats/checkpoint/state.h"
#include "plimsoll/graph/pending.h"
#include "plimsoll/report/profile_report.h"
#include "plimsoll/train/callbacks/profiler.h"
#include "plimsoll/train/model.h"
#include "python/bindings/python_words.h"

namespace plimsoll::python {
namespace {

nb::dict logs_of(TrainingState& state) {
  nb::dict logs;
  for (const auto& [name, value] : state.logs()) logs[name.c_str()] = value;
  return logs;
}

class PythonCallback final : public Callback {
 public:
  PythonCallback(nb::handle object, nb::handle hooks)
      : object_(std::make_shared<const Reference>(object)) {
    for (const nb::handle hook : hooks) hooks_.push_back(nb::cast<std::string>(hook));
  }

  void on_train_begin(TrainingState& s) override { tell("on_train_begin", s, -1, false); }
  void on_train_end(TrainingState& s) override { tell("on_train_end", s); }
  void on_epoch_begin(TrainingState& s) override { tell("on_epoch_begin", s, s.epoch, false); }
  void on_epoch_end(TrainingState& s) override { end_epoch(s); }
  void on_train_batch_begin(TrainingState& s) override {
    tell("on_train_batch_begin", s, s.batch, false);
  }
  void on_train_batch_end(TrainingState& s) override { tell("on_train_batch_end", s, s.batch); }
  void on_test_begin(TrainingState& s) override { tell("on_test_begin", s, -1, false); }
  void on_test_end(TrainingState& s) override { tell("on_test_end", s); }
  void on_test_batch_begin(TrainingState& s) override {
    tell("on_test_batch_begin", s, s.batch, false);
  }
  void on_test_batch_end(TrainingState& s) override {
    look_for_signals();
    tell("on_test_batch_end", s, s.batch);
  }
  void on_predict_begin(TrainingState& s) override { tell("on_predict_begin", s, -1, false); }
  void on_predict_end(TrainingState& s) override { tell("on_predict_end", s, -1, false); }
  void on_predict_batch_begin(TrainingState& s) override {
    tell("on_predict_batch_begin", s, s.batch, false);
  }
  void on_predict_batch_end(TrainingState& s) override {
    look_for_signals();
    tell("on_predict_batch_end", s, s.batch, false);
  }
  void on_bad_record(TrainingState&, const BadRecord& record) override {
    if (!wants("on_bad_record")) return;
    const nb::gil_scoped_acquire gil;
    object_->get().attr("on_bad_record")(record.name, record.reason,
                                         in_python_words(record.detail));
  }
  void save_state(StateWriter& to) const override {
    const nb::gil_scoped_acquire gil;
    to.text("state", nb::cast<std::string>(object_->get().attr("get_state")()));
  }
  void load_state(const StateReader& from) override {
    const nb::gil_scoped_acquire gil;
    object_->get().attr("set_state")(from.text("state"));
  }
  bool on_not_finite(TrainingState&, const NotFinite& error) override {
    if (!wants("on_not_finite")) return false;
    const nb::gil_scoped_acquire gil;
    return nb::cast<bool>(object_->get().attr("on_not_finite")(in_python_words(error.what())));
  }

 private:
  bool wants(const char* hook) const {
    for (const std::string& wanted : hooks_)
      if (wanted == hook) return true;
    return false;
  }

  void tell(const char* hook, TrainingState& state, int64_t number = -1, bool with_logs = true) {
    if (!wants(hook)) return;
    call(hook, number, with_logs ? &state : nullptr);
    make_assignments();
  }

  void call(const char* hook, int64_t number, TrainingState* state) {
    const nb::gil_scoped_acquire gil;
    const nb::object method = object_->get().attr(hook);
    const nb::dict logs = state != nullptr ? logs_of(*state) : nb::dict();
    try {
      number < 0 ? method(logs) : method(number, logs);
    } catch (const nb::python_error& error) {
      refuse_or_stop(error);
    }
  }

  // A signal may come while the hook runs, and the hook may end the program.
  [[noreturn]] static void refuse_or_stop(const nb::python_error& error) {
    if (error.matches(PyExc_KeyboardInterrupt) || error.matches(PyExc_SystemExit))
      throw StoppedBySignal(error);
    throw error;
  }

  // What the hook assigned counts from the next step on: a compiled step reads variables as they
  // are.
  static void make_assignments() {
    Context& context = Context::current();
    if (context.has_assignments()) commit_assignments(context);
  }

  // What the hook puts into the logs is kept in the history, as Keras does.
  void end_epoch(TrainingState& state) {
    if (!wants("on_epoch_end")) return;
    call_with_epoch(state);
    make_assignments();
  }

  void call_with_epoch(TrainingState& state) {
    const nb::gil_scoped_acquire gil;
    const nb::dict logs = logs_of(state);
    try {
      object_->get().attr("on_epoch_end")(state.epoch, logs);
    } catch (const nb::python_error& error) {
      refuse_or_stop(error);
    }
    for (const auto& [name, value] : logs)
      if (nb::isinstance<nb::float_>(value) || nb::isinstance<nb::int_>(value))
        state.logs()[nb::cast<std::string>(name)] = nb::cast<double>(value);
  }

  static void look_for_signals() {
    if (const auto raised = raised_by_signal()) throw StoppedBySignal(*raised);
  }

  ReferencePtr object_;
  std::vector<std::string> hooks_;
};

std::string name_of(const nb::python_error& raised) {
  const nb::gil_scoped_acquire gil;
  return nb::cast<std::string>(raised.type().attr("__name__"));
}

// A Profiler that ends training when it has measured enough.
struct SharedProfiler {
  explicit SharedProfiler(int64_t steps)
      : profiler(std::make_shared<Profiler>(ProfilerOptions{.steps = steps, .stop_after = true})) {}
  std::shared_ptr<Profiler> profiler;
};

}  // namespace

std::optional<nb::python_error> raised_by_signal() {
  const nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() == 0) return std::nullopt;
  return nb::python_error();
}

StoppedBySignal::StoppedBySignal(const nb::python_error& raised)
    : Interrupted("stopped by " + name_of(raised)), error(raised) {}

AnyCallback python_callback(nb::handle object, nb::handle hooks) {
  return AnyCallback(std::make_shared<PythonCallback>(object, hooks));
}

void bind_profiler(nb::module_& module) {
  nb::class_<SharedProfiler>(module, "Profiler")
      .def(nb::init<int64_t>())
      .def("callback", [](const SharedProfiler& it) { return AnyCallback(it.profiler); })
      .def("json", [](const SharedProfiler& it) { return to_json(it.profiler->profile()); })
      .def("trace",
           [](const SharedProfiler& it) {
             return trace_json(it.profiler->events(), it.profiler->moments());
           })
      .def("table", [](const SharedProfiler& it, bool by_layer, size_t rows) {
        return profile_table(it.profiler->profile(),
                             by_layer ? ProfileBy::layer : ProfileBy::operation, rows);
      });
}

void bind_callbacks(nb::module_& module) {
  nb::class_<AnyCallback>(module, "Callback");
  bind_profiler(module);
  module.def("python_callback", python_callback);
}

}  // namespace plimsoll::python
