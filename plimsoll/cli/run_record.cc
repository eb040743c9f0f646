#include "plimsoll/cli/run_record.h"

#include <fmt/format.h>

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/base/free_space.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/cli/plan_report.h"
#include "plimsoll/formats/bytes/unnamed_file.h"
#include "plimsoll/train/files/model_file.h"

namespace plimsoll::cli {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

// Null for what was not given.
template <class T>
Json given(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json given(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

Json options_json(const TrainArguments& a) {
  return {{"epochs", a.epochs},
          {"batch_size", a.batch_size},
          {"memory", given(a.saving.memory)},
          {"micro_batch", given(a.saving.saving.micro_batch)},
          {"micro_batches", a.saving.saving.micro_batches},
          {"recompute", a.saving.saving.recompute},
          {"spill", a.saving.saving.spill},
          {"early_updates", a.saving.saving.early_updates},
          {"sequence_parts", a.saving.saving.sequence_parts},
          {"batch_statistics_per_part", a.saving.saving.batch_statistics_per_part},
          {"validation", given(a.validation)},
          {"validation_split", given(a.validation_split)},
          {"split_by", a.validation_split ? Json(a.split_by) : Json()},
          {"optimizer", given(a.model.optimizer)},
          {"learning_rate", given(a.model.learning_rate)},
          {"weight_decay", given(a.model.changes.weight_decay)},
          {"clipnorm", given(a.model.changes.clipnorm)},
          {"clipvalue", given(a.model.changes.clipvalue)},
          {"global_clipnorm", given(a.model.changes.global_clipnorm)},
          {"accumulate", given(a.model.changes.gradient_accumulation_steps)},
          {"label_smoothing", given(a.model.label_smoothing)},
          {"schedule", given(a.learning.schedule)},
          {"early_stopping", given(a.learning.early_stopping)},
          {"patience", given(a.learning.patience)},
          {"min_delta", a.learning.min_delta},
          {"class_weight", given(a.learning.class_weight)},
          {"loss", given(a.model.loss)},
          {"metrics", given(a.model.metrics)},
          {"freeze", a.model.frozen},
          {"target", given(a.data.target)},
          {"ignore", given(a.data.ignored)},
          {"missing", given(a.data.missing)},
          {"window", given(a.data.window)},
          {"horizon", given(a.data.horizon)},
          {"stride", given(a.data.stride)},
          {"encode", given(a.data.encode)},
          {"header", a.data.header || a.data.no_header ? Json(a.data.header) : Json()},
          {"image_size", given(a.data.image_size)},
          {"classes", given(a.data.classes)},
          {"augment", given(a.augmentation)},
          {"on_bad_record", a.reading.on_bad},
          {"max_bad", a.reading.max_bad},
          {"repair_with", a.reading.repair_with},
          {"workers", given(a.reading.workers)},
          {"allow_nan", a.reading.allow_nan},
          {"save_best", !a.no_save_best},
          {"shuffle", !a.no_shuffle}};
}

void write_text(const std::string& path, const Json& json) {
  write_file(path, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

int64_t bytes_of_file(const std::string& path) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  return error ? 0 : static_cast<int64_t>(bytes);
}

// A disk may be full when the run ends: what this file takes is given back then.
FileDescriptor reserve_room(const std::string& folder) {
  constexpr off_t kBytes = 64 << 10;
  FileDescriptor file = open_unnamed_file(folder);
  errno = posix_fallocate(file.number(), 0, kBytes);
  if (errno != 0 && errno != EOPNOTSUPP) file.fail("written");
  return file;
}

}  // namespace

struct RunRecord::State {
  Json run;  // what run.json has
  Clock::time_point start = Clock::now();
  std::vector<std::pair<std::string, Json>> with_model;  // what is to be written with it
};

RunRecord::RunRecord(const TrainArguments& arguments)
    : arguments_(arguments),
      folder_(arguments.out, arguments.overwrite),
      log_(folder_.path("log.jsonl")),
      state_(std::make_unique<State>()) {}

RunRecord::~RunRecord() = default;

// Models of an earlier run give their room back when the new ones are there.
void RunRecord::check_disk(const Model& model, const TrainingState& state, bool validates) const {
  constexpr int64_t kRest = int64_t{1} << 20;  // of the other files
  const int64_t all = kept_->disk_bytes(model, state.epochs, validates);
  int64_t earlier = 0;
  for (const char* file : {"model.keras", "best.keras"})
    earlier += bytes_of_file(arguments_.out + "/" + file);
  const int64_t files = (kept_->best_by() ? 2 : 1) * file_bytes(model);
  check_free_space(arguments_.out, all - std::min(earlier, files) + kRest);
}

void RunRecord::begin(const Facts& facts, TrainingState& state, const Findings& findings) {
  const MemoryPlan& plan = *state.plan;
  kept_.emplace(facts.best, state.model);
  kept_->on_first_save([this] { replace_earlier(); });
  check_disk(state.model, state, facts.validation_records > 0);
  reserve_.emplace(reserve_room(folder_.path()));
  const Json data = {{"path", arguments_.data.path},
                     {"records", facts.records},
                     {"validation_records", facts.validation_records}};
  const Json model = {{"path", arguments_.model.path}, {"xxh3", facts.model_hash}};
  state_->run = {{"version", PLIMSOLL_VERSION},
                 {"model", model},
                 {"data", data},
                 {"options", options_json(arguments_)},
                 {"seed", facts.seed},
                 {"threads", facts.threads},
                 {"plan", plan_json(plan)},
                 {"result", {{"status", "running"}}}};
  write_run_json();
  folder_.begin();
  has_begun_ = true;
  kept_->use_folder(folder_.path());
  if (!facts.class_names.empty()) write_with_model("classes.json", facts.class_names);
  if (!facts.schema.inputs.empty())
    write_with_model("data.json", Json::parse(to_json(facts.schema)));
  log_.write("start", {{"version", PLIMSOLL_VERSION},
                       {"model", model},
                       {"data", data},
                       {"seed", facts.seed},
                       {"threads", facts.threads}});
  for (const Finding& finding : findings.all()) log_.write(finding);
  log_.write("plan", {{"batch_size", plan.batch_size},
                      {"peak_bytes", plan.peak_bytes},
                      {"arena_bytes", plan.arena_bytes},
                      {"saving", given(plan.saving_text())},
                      {"step_seconds", plan.step_seconds}});
  plan_ = plan;
}

void RunRecord::write_with_model(const std::string& file, const Json& json) {
  if (folder_.has_earlier_model())
    state_->with_model.emplace_back(file, json);
  else
    write_text(folder_.path(file), json);
}

void RunRecord::replace_earlier() {
  folder_.drop_earlier_models();
  for (const auto& [file, json] : state_->with_model) write_text(folder_.path(file), json);
  state_->with_model.clear();
}

void RunRecord::end_epoch(TrainingState& state) {
  epochs_done_ = state.epoch + 1;
  batches_done_ = 0;
  const Json metrics = json_numbers(state.logs());
  log_.write("epoch", {{"epoch", epochs_done_},
                       {"metrics", metrics},
                       {"samples", state.samples},
                       {"seconds", state.seconds},
                       {"resident_bytes", process_memory().resident_bytes}});
  state_->run["result"]["epochs"] = epochs_done_;
  state_->run["result"]["metrics"] = metrics;
  kept_->end_epoch(state);
  kept_->save_now_and_then(state.model);
}

void RunRecord::quarantine(const BadRecord& record) {
  if (!quarantine_) quarantine_.emplace(folder_.path("quarantine.jsonl"));
  ++quarantined_;
  quarantine_->write("bad_record", {{"path", record.name},
                                    {"reason", record.reason},
                                    {"detail", record.detail},
                                    {"epoch", record.epoch + 1}});
}

void RunRecord::save(const Model& model, const Ending& ending,
                     const std::function<bool()>& is_finite) {
  const bool has_failed = ending.status == "failed";
  if (ending.has_diverged || (kept_->has_diverged() && !has_failed && !is_finite()))
    kept_->save_last_finite(model, is_finite);
  else if (has_failed)
    kept_->save_last_whole(model);
  else if (epochs_done_ > 0 || batches_done_ > 0)
    kept_->save(model, epochs_done_);
}

void RunRecord::end(const Model& model, const Ending& ending,
                    const std::function<bool()>& is_finite) {
  std::exception_ptr failure;
  Ending last = ending;
  try {
    save(model, ending, is_finite);
  } catch (const Error& error) {
    failure = std::current_exception();
    if (ending.status != "failed") last = {.status = "failed", .why = error.what()};
  }
  reserve_.reset();
  try {
    write_result(last);
  } catch (const Error&) {
    if (failure == nullptr) failure = std::current_exception();
  }
  // A run that has failed already says why.
  if (failure != nullptr && ending.status != "failed") std::rethrow_exception(failure);
}

void RunRecord::write_result(const Ending& ending) {
  Json& result = state_->run["result"];
  result["status"] = ending.status;
  if (!ending.why.empty()) result["why"] = ending.why;
  result["epochs"] = epochs_done_;
  result["batches"] = batches_done_;
  result["model"] = kept_->has_model() ? Json("model.keras") : Json();
  if (kept_->has_model()) result["model_epoch"] = kept_->model().epoch;
  result["best"] = Json();
  if (const KeptModels::Saved& best = kept_->best(); best.epoch > 0)
    result["best"] = {{"model", "best.keras"},
                      {"epoch", best.epoch},
                      {"metric", kept_->best_by()->metric},
                      {"value", json_number(best.value)}};
  result["seconds"] = std::chrono::duration<double>(Clock::now() - state_->start).count();
  result["predicted_step_seconds"] = plan_.step_seconds;
  result["measured_step_seconds"] = step_seconds_;
  result["data_wait_share"] = wait_share_;
  result["quarantined"] = quarantined_;
  result["measured_peak_bytes"] = process_memory().peak_resident_bytes;
  write_run_json();
  log_.write("end", result);
}

std::string RunRecord::saved_text() const {
  const std::string& out = arguments_.out;
  std::string text;
  if (kept_->has_model() && kept_->is_as_it_ended())
    text = fmt::format("{}/model.keras is saved after {}", out, done());
  else if (kept_->has_model())
    text = fmt::format("{}/model.keras is the model after {} epoch(s), the last that is {}", out,
                       kept_->model().epoch, kept_->is_checked() ? "finite" : "whole");
  else
    text = epochs_done_ + batches_done_ == 0 ? "no batch was done, so no model is saved"
           : epochs_done_ == 0               ? "no epoch was done, so no model is saved"
                               : "no epoch has left a model whose loss is finite, so none is saved";
  if (const KeptModels::Saved& best = kept_->best(); best.epoch > 0)
    text += fmt::format("; {}/best.keras is that of epoch {} ({} {:.4g})", out, best.epoch,
                        kept_->best_by()->metric, best.value);
  if (folder_.has_earlier_model())
    text += fmt::format("; {}/model.keras is still that of the earlier run", out);
  return text;
}

void RunRecord::set_stopping(const EarlyStopping& stopping) {
  if (!stopping.best()) return;
  state_->run["result"]["early_stopping"] = {{"metric", stopping.monitor()},
                                             {"best", json_number(*stopping.best())},
                                             {"best_epoch", stopping.best_epoch() + 1},
                                             {"stopped", stopping.stopped_epoch() > 0}};
}

std::string RunRecord::done() const {
  const std::string epochs = fmt::format("{} epoch(s)", epochs_done_);
  return batches_done_ > 0 ? fmt::format("{} and {} batch(es)", epochs, batches_done_) : epochs;
}

const nlohmann::ordered_json& RunRecord::result() const {
  return state_->run["result"];
}

void RunRecord::write_run_json() const {
  write_text(folder_.path("run.json"), state_->run);
}

}  // namespace plimsoll::cli
