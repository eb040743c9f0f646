// plimsoll predict: runs a model on data and writes its outputs as they come.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/base/stop_signals.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/cli/command_list.h"
#include "plimsoll/cli/data_arguments.h"
#include "plimsoll/cli/model_arguments.h"
#include "plimsoll/cli/output.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/planned_weights.h"
#include "plimsoll/cli/prediction_writer.h"
#include "plimsoll/cli/progress.h"
#include "plimsoll/cli/protect_inputs.h"
#include "plimsoll/cli/reading_arguments.h"
#include "plimsoll/cli/saving_arguments.h"
#include "plimsoll/cli/stop_after_batch.h"
#include "plimsoll/cli/wrong_usage.h"
#include "plimsoll/train/data/model_fields.h"
#include "plimsoll/train/data/open_data.h"

namespace plimsoll::cli {
namespace {

struct PredictArguments {
  ModelArguments model;
  DataArguments data;
  ReadingArguments reading;
  std::string out;
  int64_t batch_size = 32;
  std::string memory;
  int threads = 0;
  bool json = false;
};

constexpr const char* kPredictHelp =
    "Examples: the outputs for the array x of a file, and the classes of some photos\n\n"
    "  plimsoll predict run/model.keras test.npz --out p.npy\n"
    "  plimsoll predict run/model.keras new-photos --out p.csv\n"
    "  plimsoll predict run/model.keras photo.jpg\n\n"
    "The names of the classes are read from classes.json beside the model, or from --classes.\n";

bool read(Arguments arguments, PredictArguments& into) {
  CLI::App app("Runs a model on data and writes its outputs.", "plimsoll predict");
  add_model(app, into.model);
  add_data(app, into.data);
  app.add_option(
         "--out", into.out,
         "the file to write: .npy (one output), .npz (several outputs, by name) or .csv (for "
         "images: file, class, probability); without it, the lines of a .csv are printed")
      ->option_text("FILE");
  app.add_option("--batch-size,--batch", into.batch_size, "samples per batch (default: 32)")
      ->option_text("N")
      ->check(count());
  add_memory(app, into.memory,
             "the most memory that the command may take; a batch that needs more runs in parts "
             "(default: what this machine has left)");
  add_data_options(app, into.data);
  add_bad_records(app, into.reading);
  app.add_option("--threads", into.threads, "threads that compute (default: one per core)")
      ->option_text("N")
      ->check(count());
  app.add_flag("--json", into.json, "print what was written, as JSON");
  app.footer(kPredictHelp);
  return parse(app, arguments);
}

// Makes the writer after the first batch, whose outputs have the shapes to write.
class WritePredictions final : public Callback {
 public:
  explicit WritePredictions(PredictionFile file) : file_(std::move(file)) {}

  // Of the libraries that write the file, and of a batch as text.
  int64_t planned_bytes(const Model&) const override { return int64_t{4} << 20; }

  // Counts records of outputs that are not finite; a record that was left out has NaN.
  void look_at(const Tensors& outputs) {
    for (int64_t row = 0; row < outputs[0].shape()[0]; ++row) {
      if (has_finite_row(outputs, row)) continue;
      std::string name = file_.records->name(written_ + row);
      if (!file_.left_out->has(name) && not_finite_++ == 0) first_not_finite_ = std::move(name);
    }
  }

  void on_predict_batch_end(TrainingState& state) override {
    if (writer_ == nullptr) {
      for (const Tensor& output : state.outputs)
        specs_.push_back({output.dtype(), output.shape().without(0)});
      writer_ = prediction_writer(file_, specs_);
    }
    writer_->add(written_, state.outputs);
    look_at(state.outputs);
    written_ += state.outputs[0].shape()[0];
  }
  void on_predict_end(TrainingState&) override { writer_->finish(); }

  const Specs& specs() const { return specs_; }
  int64_t not_finite() const { return not_finite_; }
  void say(const std::string& path, Findings& findings) const {
    if (not_finite_ == 0) return;
    findings.add({.severity = Finding::Severity::warning,
                  .where = path,
                  .what = fmt::format("the outputs of {} record(s) are not finite: {}{}",
                                      not_finite_, first_not_finite_, not_finite_ > 1 ? ", …" : ""),
                  .remedy = "the numbers of these records, or the weights of the model, are too "
                            "large or not finite"});
  }

 private:
  PredictionFile file_;
  Specs specs_;
  std::unique_ptr<PredictionWriter> writer_;
  int64_t written_ = 0;
  int64_t not_finite_ = 0;  // records
  std::string first_not_finite_;
};

PredictionFile file_of(const PredictArguments& arguments, const Model& model,
                       const OpenedData& opened, const std::vector<std::string>& classes) {
  PredictionFile file{.path = arguments.out,
                      .outputs = {},
                      .records = opened.data.source,
                      .is_images = opened.are_images};
  for (const Port& port : model.network().outputs()) file.outputs.push_back(port.name);
  file.class_names = classes;
  file.are_logits = gives_logits(model);
  return file;
}

void print(const PredictArguments& arguments, const PredictionFile& file,
           const WritePredictions& written) {
  const Specs& specs = written.specs();
  const int64_t records = file.records->size();
  if (arguments.out.empty()) return;  // the predictions were printed
  if (!arguments.json) {
    print_text(fmt::format("{}: predictions for {} records\n", arguments.out, records));
    return;
  }
  nlohmann::ordered_json outputs = nlohmann::ordered_json::array();
  for (size_t i = 0; i < specs.size(); ++i)
    outputs.push_back(
        {{"name", file.outputs[i]},
         {"dtype", name_of(specs[i].dtype)},
         {"shape", std::vector<int64_t>(specs[i].shape.begin(), specs[i].shape.end())}});
  const nlohmann::ordered_json json = {{"out", arguments.out},
                                       {"records", records},
                                       {"left_out", file.left_out->count()},
                                       {"not_finite", written.not_finite()},
                                       {"outputs", outputs}};
  print_json(json);
}

}  // namespace

int predict(Arguments arguments) {
  PredictArguments parsed;
  if (!read(arguments, parsed)) return kDone;
  if (parsed.out.empty() && parsed.json)
    throw WrongUsage("predict: --json describes the file that --out names; give both");
  if (!parsed.out.empty() && !parsed.out.ends_with(".npy") && !parsed.out.ends_with(".npz") &&
      !parsed.out.ends_with(".csv"))
    throw WrongUsage(
        fmt::format("predict: --out expects a .npy, .npz or .csv file, found '{}'", parsed.out));
  refuse_to_replace("predict", parsed.out, inputs_of(parsed.data));
  refuse_to_replace("predict", parsed.out, {{"the model", parsed.model.path}});
  // Or it is refused before a batch is computed.
  if (!parsed.out.empty()) {
    const AtomicFile writable(parsed.out);
  }
  if (parsed.threads > 0) set_thread_count(parsed.threads);
  const StopSignals signals;
  Findings findings;
  refuse_swapped(parsed.model.path, parsed.data.path);
  const auto weights = std::make_shared<PlannedWeights>();
  Model model = load(parsed.model, Weights::required, weights->values(), findings);
  DataOptions options = data_options_for(parsed.model.path, parsed.data, findings);
  use(parsed.reading, options);
  options.targets = false;
  const OpenedData opened = open_data(parsed.data.path, model, options);
  if (const auto note = about_places(opened, parsed.data.path, options)) findings.add(*note);
  const auto left_out = std::make_shared<LeftOut>();
  PredictionFile file = file_of(parsed, model, opened, options.class_names);
  file.left_out = left_out;
  const auto writing = std::make_shared<WritePredictions>(file);
  Callbacks callbacks;
  if (!parsed.out.empty()) callbacks = moving_line();
  callbacks.emplace_back(weights);
  callbacks.emplace_back(std::make_shared<StopAfterBatch>());
  callbacks.emplace_back(left_out);
  callbacks.emplace_back(writing);
  model.predict(opened.data, PredictOptions{.batch_size = parsed.batch_size,
                                            .collect = false,
                                            .memory = parsed.memory,
                                            .reading = reading_options(parsed.reading, options),
                                            .callbacks = std::move(callbacks)});
  left_out->say(parsed.data.path,
                parsed.out.empty() || parsed.out.ends_with(".csv")
                    ? "have no prediction, and empty cells in the output"
                    : "have no prediction, and NaN in the output",
                findings);
  writing->say(parsed.data.path, findings);
  print(parsed, file, *writing);
  return kDone;
}

}  // namespace plimsoll::cli
