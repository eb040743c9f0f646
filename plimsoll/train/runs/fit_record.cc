#include "plimsoll/train/runs/fit_record.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "plimsoll/base/report_finding.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/guards/doctor/diagnosis_json.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/train/callbacks/early_stopping.h"
#include "plimsoll/train/callbacks/live_doctor.h"
#include "plimsoll/train/data/open_data.h"
#include "plimsoll/train/files/weight_snapshot.h"
#include "plimsoll/train/runs/fit_options_json.h"
#include "plimsoll/train/runs/program_words.h"
#include "plimsoll/train/runs/run_json.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool is_file_of(const std::string& run, const char* name) {
  std::error_code error;
  return fs::exists(fs::path(run) / name, error);
}

// A model is never replaced by a run that begins, unless that was asked for.
TakeFolder way_to_take(const FitOptions& options, bool goes_on) {
  if (goes_on) return TakeFolder::go_on;
  for (const char* model : {"model.keras", "best.keras"})
    if (options.checkpoints.go_on && is_file_of(options.run, model))
      throw InvalidArgument(fmt::format(
          "fit: {} has a {} and no checkpoints to go on from; name another folder for the run, or "
          "remove the model",
          options.run, model));
  return TakeFolder::share;
}

RunEnding ending_of(const std::exception_ptr& error) {
  if (error == nullptr) return {};
  try {
    std::rethrow_exception(error);
  } catch (const Interrupted& stopped) {
    return {.status = "stopped", .why = stopped.what()};
  } catch (const NotFinite& found) {
    return {.status = "failed", .why = found.what(), .has_diverged = true};
  } catch (const std::exception& failure) {
    return {.status = "failed", .why = failure.what()};
  } catch (...) {
    return {.status = "failed", .why = "the program has thrown something that is no exception"};
  }
}

// Says why a model cannot be a file, once: a class of the program may know no config.
SaveModel saved_if_possible(std::function<void(const std::string&)> save, const std::string& run) {
  return [save = std::move(save), run, is_said = std::make_shared<bool>(false)](
             const Model& model, const std::string& path) {
    try {
      save ? save(path) : save_model(model, path);
      return true;
    } catch (const std::exception& error) {
      if (!std::exchange(*is_said, true))
        report({.severity = Finding::Severity::warning,
                .where = run,
                .what = fmt::format("the model cannot be saved: {}", error.what()),
                .remedy = "the checkpoints have its weights: fit goes on from them"});
      return false;
    }
  };
}

int64_t elements_of(const Variables& variables) {
  int64_t elements = 0;
  for (const Variable& variable : variables) elements += variable.spec().shape.elements();
  return elements;
}

// A stream has no number of records.
Json size_of(const Source* source) {
  if (source == nullptr) return 0;
  return source->stream() != nullptr ? Json() : Json(source->size());
}

std::vector<LiveDoctor*> doctors_among(const Callbacks& callbacks) {
  std::vector<LiveDoctor*> found;
  for (const AnyCallback& callback : callbacks)
    if (auto* doctor = dynamic_cast<LiveDoctor*>(callback.operator->())) found.push_back(doctor);
  return found;
}

}  // namespace

FitRecord::FitRecord(const FitOptions& options, bool goes_on)
    : options_(options), record_(options.run, way_to_take(options, goes_on)) {}

// A program may keep the doctor for longer than the run.
FitRecord::~FitRecord() {
  for (LiveDoctor* doctor : doctors_among(options_.callbacks)) doctor->also_tell({});
}

RunRecord::Facts FitRecord::facts_of(const Model& model, const Source& train,
                                     const Source* validation) const {
  RunRecord::Facts facts{
      .validates = validation != nullptr,
      .seed = random_seed(),
      .threads = thread_count(),
      .save_model = saved_if_possible(options_.checkpoints.save_model, options_.run)};
  std::error_code error;
  facts.start = {
      {"program", {{"arguments", program_words()}, {"folder", fs::current_path(error).string()}}}};
  facts.model = {{"name", model.name()},
                 {"class", std::string(model.network().class_name())},
                 {"parameters", elements_of(model.weights())}};
  facts.data = {{"records", size_of(&train)}, {"validation_records", size_of(validation)}};
  facts.options = fit_options_json(options_);
  if (validation != nullptr) facts.best = BestBy{};
  return facts;
}

AnyCallback FitRecord::recorder(const Model& model, const Dataset& train, const Source* validation,
                                const ColumnValues& repair_values) {
  constexpr bool kNotesStatistics = true;
  for (LiveDoctor* doctor : doctors_among(options_.callbacks))
    doctor->also_tell([this](const DiagnosedCause& it) {
      if (record_.has_begun() && !is_of_machine(it.cause)) record_.note("diagnosis", json_of(it));
    });
  RunRecord::Facts facts = facts_of(model, *train.source, validation);
  const auto classes = train.source->class_names();
  facts.class_names.assign(classes.begin(), classes.end());
  facts.schema = with_repair(train.schema, input_names(model), repair_values);
  return std::make_shared<FitRecorder>(record_, model, std::move(facts), kNotesStatistics);
}

// What is kept of the model passes through it, but a program goes on with the weights that it has.
void FitRecord::end(const Model& model, const std::exception_ptr& error, double data_wait_share,
                    const std::function<bool()>& is_finite) {
  if (!record_.has_begun()) return;
  std::optional<WeightSnapshot> as_it_is;
  try {
    for (const AnyCallback& callback : options_.callbacks)
      if (const auto* stopping = dynamic_cast<const EarlyStopping*>(callback.operator->()))
        record_.set_stopping(*stopping);
    if (error == nullptr) record_.set_wait_share(data_wait_share);
    WeightSnapshot now(record_.folder().path());
    now.take(model);
    as_it_is.emplace(std::move(now));
    record_.end(model, ending_of(error), is_finite);
  } catch (const Error& failure) {
    report({.severity = Finding::Severity::warning,
            .where = options_.run,
            .what = fmt::format("how the run ended could not be written: {}", failure.what()),
            .remedy = "fit goes on from the last checkpoint"});
  }
  if (as_it_is) as_it_is->put_back(model);
}

bool is_done_run(const std::string& run) {
  if (!is_file_of(run, "run.json")) return false;
  const Json json = read_run_json(run);
  const Json::json_pointer status("/result/status");
  return json.contains(status) && json[status] == "done";
}

}  // namespace plimsoll
