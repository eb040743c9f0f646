// plimsoll train: a Keras model and data in, the trained Keras model out.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/stop_signals.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/base/xxh3.h"
#include "plimsoll/cli/earlier_run.h"
#include "plimsoll/cli/heap_guard.h"
#include "plimsoll/cli/named_files.h"
#include "plimsoll/cli/output.h"
#include "plimsoll/cli/profile_files.h"
#include "plimsoll/cli/progress.h"
#include "plimsoll/cli/protect_inputs.h"
#include "plimsoll/cli/run_data.h"
#include "plimsoll/cli/run_options.h"
#include "plimsoll/cli/stop_after_batch.h"
#include "plimsoll/cli/tensor_board_of_run.h"
#include "plimsoll/cli/train_arguments.h"
#include "plimsoll/cli/wrong_usage.h"
#include "plimsoll/graph/initial_values.h"
#include "plimsoll/guards/doctor/diagnosis_json.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/train/callbacks/first_left_out.h"
#include "plimsoll/train/callbacks/live_doctor.h"
#include "plimsoll/train/callbacks/monitor.h"
#include "plimsoll/train/data/open_data.h"
#include "plimsoll/train/files/model_file.h"
#include "plimsoll/train/files/model_folder.h"
#include "plimsoll/train/fit.h"
#include "plimsoll/train/normalise_inputs.h"
#include "plimsoll/train/reported_names.h"
#include "plimsoll/train/runs/run_recorder.h"

namespace plimsoll::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kNotedWait = 0.1, kNotedSeconds = 1;  // that steps waited for data

// Keeps the record, and says what is found.
class Recorder final : public RunRecorder {
 public:
  Recorder(RunRecord& record, const Model& model, RunRecord::Facts facts, bool notes_statistics,
           Findings& findings, std::shared_ptr<ConsoleProgress> console, std::string out)
      : RunRecorder(record, model, std::move(facts), notes_statistics),
        findings_(findings),
        console_(std::move(console)),
        out_(std::move(out)) {}

  void on_bad_record(TrainingState& state, const BadRecord& record) override {
    RunRecorder::on_bad_record(state, record);
    if (record_.quarantined() == 1)
      findings_.add(first_left_out(
          record,
          fmt::format("{}/quarantine.jsonl lists them; `plimsoll check` finds them all", out_)));
  }
  void load_state(const StateReader& from) override {
    RunRecorder::load_state(from);
    if (const auto best = record_.best_value(); best && console_) console_->set_best(*best);
  }

 private:
  std::vector<Finding> findings() const override { return findings_.all(); }

  Findings& findings_;
  std::shared_ptr<ConsoleProgress> console_;  // none: nothing is shown
  std::string out_;                           // the folder of the run, as it was given
};

FitOptions fit_options(const TrainArguments& arguments, const RunData& data) {
  FitOptions options{.epochs = arguments.epochs, .batch_size = arguments.batch_size};
  options.shuffle = !arguments.no_shuffle;
  options.validation_data = data.validation;
  options.memory = arguments.saving.memory;
  options.saving = arguments.saving.saving;
  options.reading = reading_options(arguments.reading);
  options.on_bad_step = on_bad_step_of(arguments.on_bad_step);
  // Not that of a checkpoint, which may be one of another run.
  options.seed = random_seed();
  options.verbose = 0;
  return options;
}

// --mode is of what a person names, not of the val_loss that is taken without.
std::string mode_of_best(const TrainArguments& arguments, const std::string& metric,
                         const Model& model) {
  const bool is_named = arguments.save_best && !arguments.save_best->empty();
  return is_named ? mode_of(arguments.learning, "--save-best", metric, model) : "auto";
}

// By what the best model is known. WrongUsage where --save-best names what is not measured.
std::optional<BestBy> best_by(const TrainArguments& arguments, const Model& model,
                              const RunData& data) {
  const bool validates = data.validation.source != nullptr;
  if (arguments.no_save_best || (!arguments.save_best && !validates)) return std::nullopt;
  std::string metric = arguments.save_best.value_or("");
  if (metric.empty()) metric = "val_loss";
  const std::vector<std::string> known = reported_names(model, validates);
  if (std::ranges::find(known, metric) != known.end())
    return BestBy{metric, mode_of_best(arguments, metric, model)};
  throw WrongUsage(fmt::format(
      "train: --save-best: '{}' is not measured{} (known: {})", metric,
      validates || !metric.starts_with("val_") ? "" : " without --validation or --validation-split",
      fmt::join(known, ", ")));
}

// Of an unpacked model, the hash of its weights.
std::string hash_of_model(const std::string& path) {
  return xxh3_of_file(is_folder(path) ? find_model_folder(path).weights : path);
}

RunRecord::Facts facts_of(const TrainArguments& arguments, const Model& model, const RunData& data,
                          const std::string& model_hash) {
  const Source* validation = data.validation.source.get();
  const int64_t validated = validation == nullptr ? 0 : validation->size();
  const Json command = {{"arguments", arguments.given},
                        {"folder", std::filesystem::current_path().string()}};
  return {.start = {{"command", command}},
          .model = {{"path", arguments.model.path}, {"xxh3", model_hash}},
          .data = {{"path", arguments.data.path},
                   {"records", data.train.source->size()},
                   {"validation_records", validated}},
          .options = options_json(arguments),
          .validates = validated > 0,
          .seed = random_seed(),
          .threads = thread_count(),
          .class_names = data.class_names,
          .best = best_by(arguments, model, data)};
}

// The epochs that the table marks are those of best.keras.
Monitored monitored_by(const std::optional<BestBy>& best, const Model& model) {
  if (!best) return {};
  return {.metric = best->metric, .rises = is_more_better(best->metric, best->mode, model)};
}

void protect_inputs(const TrainArguments& arguments) {
  Inputs inputs = inputs_of(arguments.data);
  inputs.push_back({"the model", arguments.model.path});
  for (const Input& file : files_of_data("the validation data", arguments.validation))
    inputs.push_back(file);
  refuse_to_replace_folder("train", arguments.out, inputs);
}

// What may change when a run goes on: it has no influence on what the run leaves.
bool may_change(const std::string& option) {
  constexpr std::array kHarmless = {"epochs", "memory", "workers", "profile"};
  return std::ranges::find(kHarmless, option) != kHarmless.end();
}

void keep_checkpoints(const TrainArguments& arguments, const Model& model,
                      const std::string& model_hash, bool goes_on, FitOptions& options) {
  CheckpointOptions& checkpoints = options.checkpoints;
  checkpoints = checkpoint_options(arguments.checkpoints);
  checkpoints.keeps_record = false;  // the command has its own
  checkpoints.go_on = goes_on;
  checkpoints.free_bytes = RunRecord::bytes_at_end(model);
  checkpoints.settings["the model file"] = model_hash;
  const nlohmann::ordered_json given = options_json(arguments);
  for (const auto& [name, value] : given.items())
    if (!may_change(name)) checkpoints.settings[name] = value.is_null() ? "" : value.dump();
  // A run that goes back does so to the checkpoints that were asked for.
  if (may_go_back(options))
    checkpoints.settings["checkpoint_steps"] = fmt::format("{}", checkpoints.every_steps);
  options.run = arguments.out;
  options.max_time = time_left(arguments.checkpoints);
}

// A model, and the run that trains it; nothing has taken its memory yet.
struct Prepared {
  Model model;
  PlannedFit fit;
  Dataset measured;  // on what the model is measured if it may have diverged
  std::shared_ptr<const EarlyStopping> stopping;  // null without --early-stopping
  std::shared_ptr<const Profiler> profiler;       // null without --profile
};

// Says and logs what spoils the run, as soon as it shows.
std::shared_ptr<LiveDoctor> live_doctor(const TrainArguments& arguments, const Dataset& data,
                                        const FitOptions& fit, RunRecord& record,
                                        Findings& findings) {
  LiveDoctorOptions options{.statistics = !arguments.no_statistics,
                            .is_shuffled = fit.shuffle,
                            .has_class_weights = !fit.class_weight.empty(),
                            .is_of_command = true};
  options.tell = [&, names = named_files(arguments, arguments.out)](const DiagnosedCause& found) {
    const DiagnosedCause it = with_names(found, names);
    findings.add(finding_of(it));
    if (!is_of_machine(it.cause)) record.note("diagnosis", json_of(it));
  };
  return std::make_shared<LiveDoctor>(data, std::move(options));
}

// Whatever the memory is, it is not exceeded here: weights get their values once the run is
// planned.
Prepared prepare(const TrainArguments& arguments, bool goes_on, RunRecord& record,
                 Findings& findings) {
  const HeapGuard guard;
  LaterInitialValues initial_values;
  WeightLoad values;
  refuse_swapped(arguments.model.path, arguments.data.path);
  Model model = load(arguments.model, Weights::read, values, findings);
  compile(model, arguments.model);
  const RunData data = open_run_data(arguments, model, record.folder().path(), findings);
  if (arguments.normalise) model = normalise_inputs(model, data.train);
  FitOptions options = fit_options(arguments, data);
  const auto stopping =
      set_up_learning(arguments.learning, model, data.train, data.class_names, options, findings);
  const std::string model_hash = hash_of_model(arguments.model.path);
  RunRecord::Facts facts = facts_of(arguments, model, data, model_hash);
  const auto console =
      epoch_lines(arguments.json || arguments.is_silent, monitored_by(facts.best, model));
  if (console != nullptr) options.callbacks.emplace_back(console);
  const auto recorder = std::make_shared<Recorder>(
      record, model, std::move(facts), !arguments.no_statistics, findings, console, arguments.out);
  options.callbacks.emplace_back(recorder);
  std::shared_ptr<Profiler> profiler;
  if (arguments.profiled_steps > 0) {
    profiler = std::make_shared<Profiler>(ProfilerOptions{.steps = arguments.profiled_steps});
    options.callbacks.emplace_back(profiler);
  }
  if (!arguments.no_doctor)
    options.callbacks.emplace_back(live_doctor(arguments, data.train, options, record, findings));
  // After the recorder, which puts the folder of the run in its place.
  if (const auto board = tensor_board(arguments, findings.all()))
    options.callbacks.push_back(*board);
  keep_checkpoints(arguments, model, model_hash, goes_on, options);
  StopSignals::check();
  PlannedFit fit = model.plan_fit(data.train, options);
  record.keep_picture(fit.picture());
  recorder->set_schema(with_repair(data.train.schema, input_names(model), fit.repair_values()));
  initial_values.fill();
  values.run();
  return {model, std::move(fit), data.validation.source != nullptr ? data.validation : data.train,
          stopping, profiler};
}

// True if the loss of the model as it is now is finite, or if that cannot be found out.
bool is_finite(Prepared& prepared, const TrainArguments& arguments) {
  EvaluateOptions options{.batch_size = arguments.batch_size};
  options.reading = reading_options(arguments.reading);
  options.reading.repair_values = prepared.fit.repair_values();
  options.callbacks.emplace_back(std::make_shared<StopAfterBatch>());
  try {
    return std::isfinite(prepared.model.evaluate(prepared.measured, options).at("loss"));
  } catch (const Error&) {
    return true;
  }
}

// The same error, which ends with what was saved.
[[noreturn]] void fail_with(const Error& error, const std::string& saved) {
  const std::string text = error.what() + ("; " + saved);
  if (dynamic_cast<const NotFinite*>(&error) != nullptr) throw NotFinite(text);
  if (dynamic_cast<const DoesNotFit*>(&error) != nullptr) throw DoesNotFit(text);
  if (dynamic_cast<const CorruptFile*>(&error) != nullptr) throw CorruptFile(text);
  if (dynamic_cast<const IoError*>(&error) != nullptr) throw IoError(text);
  if (dynamic_cast<const InvalidArgument*>(&error) != nullptr) throw InvalidArgument(text);
  throw Error(text);
}

// Empty if there is nothing to go on from.
std::string way_on(const std::string& run) {
  return has_checkpoints(run) ? fmt::format("; 'plimsoll resume {}' goes on", run) : "";
}

// Also of a run that was stopped or has failed: what was measured until then is true.
void keep_profile(const Prepared& prepared, const TrainArguments& arguments) {
  if (prepared.profiler != nullptr) write_profile(*prepared.profiler, arguments.out);
}

// How the run ended, and the exit code of that.
struct Ending {
  RunEnding run = {};
  int code = kDone;
};

Ending run(Prepared& prepared, const TrainArguments& arguments, RunRecord& record) {
  try {
    record.set_wait_share(prepared.fit.run().data_wait_share);
    return {};
  } catch (const Stopped& stopped) {
    if (!record.has_begun()) throw;
    return {{"stopped", stopped.what()}, kSignal + stopped.signal()};
  } catch (const OutOfTime&) {
    return {{"stopped", "the time of --max-time is over"}, kOutOfTime};
  } catch (const Error& error) {
    if (!record.has_begun()) throw;
    const bool has_diverged = dynamic_cast<const NotFinite*>(&error) != nullptr;
    const bool is_of_disk = dynamic_cast<const IoError*>(&error) != nullptr;
    record.end(prepared.model, {"failed", error.what(), has_diverged},
               [&] { return is_finite(prepared, arguments); });
    if (!is_of_disk) keep_profile(prepared, arguments);
    fail_with(error, record.saved_text() + (is_of_disk ? way_on(arguments.out) : ""));
  }
}

// What cannot be saved now is still in the checkpoints.
void end(Prepared& prepared, const TrainArguments& arguments, RunRecord& record,
         const RunEnding& ending) {
  try {
    if (record.has_begun()) keep_profile(prepared, arguments);
    record.end(prepared.model, ending, [&] { return is_finite(prepared, arguments); });
  } catch (const IoError& error) {
    throw IoError(error.what() + way_on(arguments.out));
  }
}

void print(const TrainArguments& arguments, const Prepared& prepared, const RunRecord& record) {
  const auto& result = record.result();
  if (arguments.json) {
    nlohmann::ordered_json json = {{"run", arguments.out}};
    json.update(result);
    print_json(json);
    return;
  }
  if (prepared.stopping != nullptr && prepared.stopping->best())
    print_text(to_string(*prepared.stopping, result["status"] == "done") + "\n");
  const auto peak = result["measured_peak_bytes"].get<int64_t>();
  if (const std::string how = record.plan().saving_text(); !how.empty())
    print_text(fmt::format("fitted into the memory: {}; a step took {:.3g} s, predicted {:.3g} s\n",
                           how, result["measured_step_seconds"].get<double>(),
                           record.plan().step_seconds));
  if (record.quarantined() > 0)
    print_text(fmt::format("{} record(s) were left out: {}/quarantine.jsonl\n",
                           record.quarantined(), arguments.out));
  const double share = result.value("data_wait_share", 0.0);
  if (share > kNotedWait && share * result["seconds"].get<double>() > kNotedSeconds)
    print_text(fmt::format("steps waited for data {:.0f}% of their time\n", share * 100));
  print_text(fmt::format("{}; peak memory {}\n", record.saved_text(), format_bytes(peak)));
}

}  // namespace

int run_train(TrainArguments parsed) {
  if (parsed.threads > 0) set_thread_count(parsed.threads);
  protect_inputs(parsed);
  const std::optional<EarlierRun> earlier = find_earlier_run(parsed);
  if (parsed.seed || earlier) set_random_seed(parsed.seed ? *parsed.seed : earlier->seed);
  const StopSignals signals;
  Findings findings;
  const ReportedFindings reported(findings);
  RunRecord record(parsed.out, earlier            ? TakeFolder::go_on
                               : parsed.overwrite ? TakeFolder::replace
                                                  : TakeFolder::begin);
  Prepared prepared = prepare(parsed, earlier.has_value(), record, findings);
  const Ending ending = run(prepared, parsed, record);
  if (prepared.stopping != nullptr) record.set_stopping(*prepared.stopping);
  end(prepared, parsed, record, ending.run);
  if (ending.code != kDone)
    print_message(
        fmt::format("{}; {} are done{}", ending.run.why, record.done(), way_on(parsed.out)));
  if (!parsed.is_silent) print(parsed, prepared, record);
  return ending.code;
}

int train(Arguments arguments) {
  TrainArguments parsed;
  return read(arguments, parsed) ? run_train(std::move(parsed)) : kDone;
}

}  // namespace plimsoll::cli
