// Event files for TensorBoard: tf.summary and keras.callbacks.TensorBoard.
#include "python/bindings/event_files.h"

#include <nanobind/stl/map.h>

#include "plimsoll/formats/tensorflow/event_file.h"
#include "plimsoll/formats/tensorflow/summary_value.h"
#include "plimsoll/report/board/training_board.h"
#include "plimsoll/train/callbacks/callback.h"
#include "plimsoll/train/callbacks/network_graph.h"
#include "plimsoll/train/model.h"

namespace plimsoll::python {
namespace {

using Sizes = std::vector<int64_t>;

nb::bytes bytes_of(const std::string& text) {
  return nb::bytes(text.data(), text.size());
}

std::string text_of(nb::handle bytes) {
  const auto found = nb::cast<nb::bytes>(bytes);
  return {static_cast<const char*>(found.data()), found.size()};
}

std::vector<std::string> texts_of(nb::list items) {
  std::vector<std::string> texts;
  for (const nb::handle item : items) texts.push_back(text_of(item));
  return texts;
}

// What a run of the engine tells a callback in Python that is not in its logs.
struct RunFacts {
  int64_t samples = 0, planned_bytes = 0;
  double seconds = 0;  // of the epoch, as the samples
  // What the engine writes itself, where the callback wants it.
  std::shared_ptr<TrainingBoard> board = {};
  bool statistics = false, bad_records = false;
  std::vector<BadRecord> before_begin = {};  // records that were left out before there was a board
};

HyperParameters hyper_parameters_of(TrainingState& state) {
  HyperParameters values = {{"epochs", static_cast<double>(state.epochs)},
                            {"learning_rate", state.learning_rate()},
                            {"model", state.model.name()},
                            {"optimizer", std::string(state.model.optimizer()->class_name())}};
  if (state.plan != nullptr)
    values.emplace("batch_size", static_cast<double>(state.plan->batch_size));
  return values;
}

class FactsOfRun final : public Callback {
 public:
  explicit FactsOfRun(std::shared_ptr<RunFacts> facts) : facts_(std::move(facts)) {}

  void on_train_begin(TrainingState& state) override {
    facts_->samples = 0;
    facts_->seconds = 0;
    facts_->planned_bytes = state.plan == nullptr ? 0 : state.plan->peak_bytes;
    if (facts_->board == nullptr || state.is_resumed) return;
    facts_->board->add_hyper_parameters(hyper_parameters_of(state));
    for (const BadRecord& record : std::exchange(facts_->before_begin, {}))
      on_bad_record(state, record);
  }
  bool wants_statistics() const override { return facts_->statistics; }
  void on_statistics(TrainingState&, const StepStatistics& statistics) override {
    if (facts_->board != nullptr) facts_->board->add_statistics(statistics);
  }
  void on_bad_record(TrainingState& state, const BadRecord& record) override {
    if (!facts_->bad_records) return;
    if (facts_->board != nullptr)
      facts_->board->add_bad_record(record.name, record.reason + ": " + record.detail, state.epoch);
    else if (std::ssize(facts_->before_begin) < TrainingBoard::kMostBadRecords)
      facts_->before_begin.push_back(record);
  }
  bool on_not_finite(TrainingState&, const NotFinite&) override {
    if (facts_->board != nullptr) facts_->board->add_outcome(true);
    return false;
  }
  int64_t planned_bytes(const Model& model) const override {
    return TrainingBoard::kBytes + (facts_->bad_records ? TrainingBoard::kPictureBytes : 0) +
           TrainingBoard::graph_bytes(count_layers(model.network()));
  }
  void on_train_batch_end(TrainingState& state) override {
    facts_->samples = state.samples;
    facts_->seconds = state.seconds;
  }

 private:
  std::shared_ptr<RunFacts> facts_;
};

void bind_facts(nb::module_& module) {
  nb::class_<RunFacts>(module, "RunFacts")
      .def(nb::init<>())
      .def("callback",
           [](const std::shared_ptr<RunFacts>& facts) {
             return AnyCallback(std::make_shared<FactsOfRun>(facts));
           })
      .def_prop_ro("samples_per_second",
                   [](const RunFacts& facts) {
                     return facts.seconds > 0 ? static_cast<double>(facts.samples) / facts.seconds
                                              : 0.0;
                   })
      .def_ro("planned_bytes", &RunFacts::planned_bytes)
      .def_rw("statistics", &RunFacts::statistics)
      .def_rw("bad_records", &RunFacts::bad_records)
      .def(
          "set_board",
          [](RunFacts& facts, std::shared_ptr<TrainingBoard> board) {
            facts.board = std::move(board);
          },
          nb::arg("board").none());
}

void bind_summaries(nb::module_& module) {
  module.def("scalar_summary", [](const std::string& tag, double value, const std::string& words) {
    return bytes_of(scalar_summary(tag, value, words));
  });
  module.def("text_summary", [](const std::string& tag, nb::list items, const Sizes& shape,
                                const std::string& words) {
    return bytes_of(text_summary(tag, texts_of(items), shape, words));
  });
  module.def("histogram_summary", [](const std::string& tag, double least, double largest,
                                     const Sizes& counts, const std::string& words) {
    return bytes_of(histogram_summary(tag, least, largest, counts, words));
  });
  module.def("image_summary", [](const std::string& tag, int64_t height, int64_t width,
                                 nb::list files, const std::string& words) {
    return bytes_of(image_summary(tag, height, width, texts_of(files), words));
  });
  module.def("tensor_summary", [](const std::string& tag, int type, const Sizes& shape,
                                  nb::bytes content, nb::bytes metadata) {
    return bytes_of(tensor_summary(tag, type, shape, text_of(content), text_of(metadata)));
  });
}

void bind_board(nb::module_& module) {
  nb::class_<TrainingBoard>(module, "TrainingBoard")
      .def("__init__",
           [](TrainingBoard* self, const std::string& folder, bool has_batches) {
             new (self) TrainingBoard(
                 folder, has_batches ? BoardFiles::Steps::mixed : BoardFiles::Steps::alike);
           })
      .def("add_graph", [](TrainingBoard& self,
                           const Model& model) { self.add_graph(network_graph(model.network())); })
      .def("add_batch", &TrainingBoard::add_batch)
      .def("add_epoch",
           [](TrainingBoard& self, int64_t epoch, const std::map<std::string, double>& metrics,
              const std::map<std::string, double>& rest) {
             const auto number = [&](const char* name) {
               const auto found = rest.find(name);
               return found == rest.end() ? 0.0 : found->second;
             };
             self.add_epoch({.epoch = epoch,
                             .metrics = metrics,
                             .learning_rate = number("learning_rate"),
                             .samples_per_second = number("samples_per_second"),
                             .steps_per_second = number("steps_per_second"),
                             .resident_bytes = static_cast<int64_t>(number("resident_bytes")),
                             .planned_peak_bytes = static_cast<int64_t>(number("planned_bytes"))});
           })
      .def("add_histogram",
           [](TrainingBoard& self, const std::string& tag, double least, double largest,
              const Sizes& counts, int64_t step) {
             self.add_histogram(tag, {least, largest, counts}, step);
           })
      .def("add_finding",
           [](TrainingBoard& self, const std::string& severity, const std::string& where,
              const std::string& what, const std::string& remedy, int64_t epoch) {
             const auto how = severity == "error"     ? Finding::Severity::error
                              : severity == "warning" ? Finding::Severity::warning
                                                      : Finding::Severity::note;
             self.add_finding({how, where, what, remedy}, epoch);
           })
      .def("add_outcome", &TrainingBoard::add_outcome)
      .def("close", &TrainingBoard::close)
      .def("state", &TrainingBoard::state)
      .def("go_on", &TrainingBoard::go_on);
}

}  // namespace

void bind_event_files(nb::module_& module) {
  bind_summaries(module);
  bind_board(module);
  bind_facts(module);
  nb::class_<EventFile>(module, "EventFile")
      .def("__init__",
           [](EventFile* self, const std::string& folder, const std::string& suffix) {
             new (self) EventFile(folder, {.suffix = suffix});
           })
      .def("add",
           [](EventFile& self, nb::bytes value, int64_t step) {
             const std::string text = text_of(value);
             self.add(std::span(&text, 1), step);
           })
      .def("sync", &EventFile::sync)
      .def_prop_ro("path", &EventFile::path);
}

}  // namespace plimsoll::python
