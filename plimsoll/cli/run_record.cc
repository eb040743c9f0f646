#include "plimsoll/cli/run_record.h"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/cli/plan_report.h"
#include "plimsoll/train/files/model_file.h"

namespace plimsoll::cli {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr auto kBetweenSaves = std::chrono::seconds(30);

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
          {"loss", given(a.model.loss)},
          {"metrics", given(a.model.metrics)},
          {"freeze", a.model.frozen},
          {"target", given(a.data.target)},
          {"ignore", given(a.data.ignored)},
          {"missing", given(a.data.missing)},
          {"window", given(a.data.window)},
          {"horizon", given(a.data.horizon)},
          {"stride", given(a.data.stride)},
          {"image_size", given(a.data.image_size)},
          {"classes", given(a.data.classes)},
          {"augment", given(a.augmentation)},
          {"on_bad_record", a.reading.on_bad},
          {"max_bad", a.reading.max_bad},
          {"repair_with", a.reading.repair_with},
          {"workers", given(a.reading.workers)},
          {"allow_nan", a.reading.allow_nan},
          {"shuffle", !a.no_shuffle}};
}

void write_text(const std::string& path, const Json& json) {
  write_file(path, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace

struct RunRecord::State {
  Json run;  // what run.json has
  Clock::time_point start = Clock::now();
  Clock::time_point saved_at = Clock::now();
  int64_t saved_epoch = 0;  // the last that model.keras has; 0: there is none
};

RunRecord::RunRecord(const TrainArguments& arguments)
    : arguments_(arguments),
      folder_(arguments.out, arguments.overwrite),
      log_(folder_.path("log.jsonl")),
      state_(std::make_unique<State>()) {}

RunRecord::~RunRecord() = default;

void RunRecord::begin(const Facts& facts, const MemoryPlan& plan, const Findings& findings) {
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
  if (!facts.class_names.empty()) write_text(folder_.path("classes.json"), facts.class_names);
  write_run_json();
  folder_.begin();
  has_begun_ = true;
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
  if (Clock::now() - state_->saved_at >= kBetweenSaves) save(state.model);
}

void RunRecord::quarantine(const BadRecord& record) {
  if (!quarantine_) quarantine_.emplace(folder_.path("quarantine.jsonl"));
  ++quarantined_;
  quarantine_->write("bad_record", {{"path", record.name},
                                    {"reason", record.reason},
                                    {"detail", record.detail},
                                    {"epoch", record.epoch + 1}});
}

void RunRecord::save(const Model& model) {
  save_model(model, folder_.path("model.keras"));
  state_->saved_at = Clock::now();
  state_->saved_epoch = epochs_done_;
}

void RunRecord::end(const Model& model, const std::string& status, const std::string& why) {
  // A run that failed keeps what it saved last; weights of a whole epoch are worth keeping too.
  const bool has_failed = status == "failed";
  const bool is_saved = epochs_done_ > 0 || (batches_done_ > 0 && !has_failed);
  if (is_saved && (!has_failed || state_->saved_epoch < epochs_done_)) save(model);
  Json& result = state_->run["result"];
  result["status"] = status;
  if (!why.empty()) result["why"] = why;
  result["epochs"] = epochs_done_;
  result["batches"] = batches_done_;
  result["model"] = is_saved ? Json("model.keras") : Json();
  result["seconds"] = std::chrono::duration<double>(Clock::now() - state_->start).count();
  result["predicted_step_seconds"] = plan_.step_seconds;
  result["measured_step_seconds"] = step_seconds_;
  result["data_wait_share"] = wait_share_;
  result["quarantined"] = quarantined_;
  result["measured_peak_bytes"] = process_memory().peak_resident_bytes;
  write_run_json();
  log_.write("end", result);
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
