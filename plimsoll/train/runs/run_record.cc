#include "plimsoll/train/runs/run_record.h"

#include <fmt/format.h>

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/base/free_space.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/formats/archives/json.h"
#include "plimsoll/formats/bytes/unnamed_file.h"
#include "plimsoll/record/machine.h"
#include "plimsoll/record/program_version.h"
#include "plimsoll/record/statistics_json.h"
#include "plimsoll/record/step_picture_json.h"
#include "plimsoll/train/files/model_file.h"
#include "plimsoll/train/memory/plan_json.h"
#include "plimsoll/train/runs/run_json.h"
#include "plimsoll/train/steps/bad_batch_json.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;
using SteadyClock = std::chrono::steady_clock;

// Of run.json and log.jsonl, as docs/formats/run.md describes them.
constexpr int kFormat = 1;

void write_text(const std::string& path, const Json& json) {
  write_file(path, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

// What belongs to the models of a run, by the names of its files. Beside a model of an earlier run
// it waits in run.json until there is a new one, so that a run that is killed and goes on knows it.
Json beside_model(const RunRecord::Facts& facts) {
  Json files = Json::object();
  if (!facts.class_names.empty()) files["classes.json"] = facts.class_names;
  if (!facts.schema.inputs.empty()) files["data.json"] = Json::parse(to_json(facts.schema));
  return files;
}

void write_all(const Json& files, const RunFolder& folder) {
  for (const auto& [file, json] : files.items()) write_text(folder.path(file), json);
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

// Which way numbers get better, "up" or "down", by their names; those of which it is not known are
// left out.
Json directions_of(const Logs& logs, const Model& model, const std::optional<BestBy>& best) {
  Json directions = Json::object();
  for (const auto& [name, value] : logs) {
    const std::string mode = best && best->metric == name ? best->mode : "auto";
    if (mode != "auto" || is_direction_known(name, model))
      directions[name] = is_more_better(name, mode, model) ? "up" : "down";
  }
  return directions;
}

RunFolder taken(const std::string& folder, TakeFolder how) {
  if (how == TakeFolder::go_on) return RunFolder::go_on(folder);
  if (how == TakeFolder::share) return RunFolder::among_files(folder);
  return RunFolder(folder, how == TakeFolder::replace);
}

bool is_run(const std::string& folder) {
  std::error_code error;
  return std::filesystem::exists(folder + "/run.json", error);
}

}  // namespace

struct RunRecord::State {
  Json run;  // what run.json has
  SteadyClock::time_point start = SteadyClock::now();
  bool adds_earlier_seconds = false;  // those that the checkpoint says, when it is loaded
};

RunRecord::RunRecord(std::string folder, TakeFolder how)
    : out_(std::move(folder)),
      goes_on_(how == TakeFolder::go_on && is_run(out_)),
      folder_(taken(out_, how)),
      log_(folder_.path("log.jsonl"), goes_on_ ? RunLog::Mode::go_on : RunLog::Mode::begin),
      state_(std::make_unique<State>()) {}

RunRecord::~RunRecord() = default;

void RunRecord::keep_picture(const StepPicture& picture) {
  if (!goes_on_)
    write_file(folder_.path("plan.json"),
               to_json(picture).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

// Models of an earlier run give their room back when the new ones are there.
void RunRecord::check_disk(const Model& model, const TrainingState& state, bool validates) const {
  constexpr int64_t kRest = int64_t{1} << 20;  // of the other files
  const int64_t all = kept_->disk_bytes(model, state.epochs, validates);
  int64_t earlier = 0;
  for (const char* file : {"model.keras", "best.keras"})
    earlier += bytes_of_file(out_ + "/" + file);
  const int64_t files = (kept_->best_by() ? 2 : 1) * file_bytes(model);
  check_free_space(out_, all - std::min(earlier, files) + kRest);
}

int64_t RunRecord::bytes_at_end(const Model& model) {
  constexpr int64_t kRest = int64_t{1} << 20;
  return 2 * file_bytes(model) + saving_disk_bytes(model) + kRest;
}

void RunRecord::begin(const Facts& facts, TrainingState& state,
                      const std::vector<Finding>& findings) {
  kept_.emplace(facts.best, state.model, facts.save_model);
  kept_->on_first_save([this] { replace_earlier(); });
  check_disk(state.model, state, facts.validates);
  reserve_.emplace(reserve_room(folder_.path()));
  plan_ = *state.plan;
  if (goes_on_)
    go_on(facts, findings);
  else
    begin_anew(facts, *state.plan, findings);
}

void RunRecord::begin_anew(const Facts& facts, const MemoryPlan& plan,
                           const std::vector<Finding>& findings) {
  state_->run = {{"format", kFormat}, {"version", program_version()}, {"machine", machine_json()}};
  state_->run.update(facts.start);
  state_->run.update(Json{{"model", facts.model},
                          {"data", facts.data},
                          {"options", facts.options},
                          {"seed", facts.seed},
                          {"threads", facts.threads},
                          {"plan", plan_json(plan)},
                          {"result", {{"status", "running"}}}});
  const Json files = beside_model(facts);
  if (folder_.has_earlier_model()) state_->run[kBesideFirstModel] = files;
  write_run_json();
  folder_.begin();
  has_begun_ = true;
  kept_->use_folder(folder_.path());
  if (!folder_.has_earlier_model()) write_all(files, folder_);
  log_.write("start", {{"format", kFormat},
                       {"version", program_version()},
                       {"model", facts.model},
                       {"data", facts.data},
                       {"seed", facts.seed},
                       {"threads", facts.threads}});
  for (const Finding& finding : findings) log_.write(finding);
  const std::string saving = plan.saving_text();
  log_.write("plan", {{"batch_size", plan.batch_size},
                      {"peak_bytes", plan.peak_bytes},
                      {"arena_bytes", plan.arena_bytes},
                      {"saving", saving.empty() ? Json() : Json(saving)},
                      {"step_seconds", plan.step_seconds}});
}

// That it was stopped is in run.json; the log is that of a run which was not.
void RunRecord::go_on(const Facts& facts, const std::vector<Finding>& findings) {
  state_->run = read_run_json(out_);
  Json restart = {{"time", time_now()},
                  {"version", program_version()},
                  {"threads", thread_count()},
                  {"findings", Json::array()}};
  for (const Finding& finding : findings) restart["findings"].push_back(to_string(finding));
  state_->run["restarts"].push_back(restart);
  state_->run["options"] = facts.options;
  state_->run["result"] = {{"status", "running"}};
  state_->adds_earlier_seconds = true;
  if (state_->run.contains(kBesideFirstModel)) folder_.expect_earlier_model();
  write_run_json();
  has_begun_ = true;
  kept_->use_folder(folder_.path());
}

// The files are synced first: a checkpoint that survives a power cut needs what it counts.
void RunRecord::save_state(StateWriter& to, const Model& model) {
  if (!to.only_counts()) log_.sync(folder_.path("log.jsonl"));
  if (quarantine_ && !to.only_counts()) quarantine_->sync(folder_.path("quarantine.jsonl"));
  to.number("log", log_.size());
  to.number("quarantine", quarantine_ ? quarantine_->size() : 0);
  to.numbers("counts", std::array{epochs_done_, batches_done_, quarantined_});
  to.text("result", state_->run["result"].dump());
  to.real("seconds", std::chrono::duration<double>(SteadyClock::now() - state_->start).count());
  StateWriter kept = to.within("kept");
  kept_->save_state(kept, model);
}

void RunRecord::load_state(const StateReader& from, const Model& model) {
  const std::vector<int64_t> counts = from.numbers("counts");
  Json result = parse_json(from.text("result"), from.path());
  if (counts.size() != 3 || !result.is_object())
    throw CorruptFile(from.path() + ": it is not the state of a run of train");
  log_.cut(from.number("log"));
  const std::string quarantine = folder_.path("quarantine.jsonl");
  if (const int64_t size = from.number("quarantine"); size > 0) {
    quarantine_.emplace(quarantine, RunLog::Mode::go_on).cut(size);
  } else {
    quarantine_.reset();
    std::filesystem::remove(quarantine);
  }
  epochs_done_ = counts[0];
  batches_done_ = counts[1];
  quarantined_ = counts[2];
  state_->run["result"] = std::move(result);
  // A run that goes back to a checkpoint in the same process has its time already.
  if (std::exchange(state_->adds_earlier_seconds, false))
    state_->start -= std::chrono::duration_cast<SteadyClock::duration>(
        std::chrono::duration<double>(from.real("seconds")));
  kept_->load_state(from.within("kept"), model);
}

void RunRecord::replace_earlier() {
  folder_.drop_earlier_models();
  if (!state_->run.contains(kBesideFirstModel)) return;
  write_all(state_->run[kBesideFirstModel], folder_);
  state_->run.erase(kBesideFirstModel);
  write_run_json();
}

void RunRecord::end_epoch(TrainingState& state, const StepClock::Times& times,
                          const std::vector<GrowingLine>& growing) {
  epochs_done_ = state.epoch + 1;
  batches_done_ = 0;
  const Json metrics = json_numbers(state.logs());
  Json event = {{"epoch", epochs_done_},
                {"metrics", metrics},
                {"samples", state.samples},
                {"seconds", state.seconds},
                {"resident_bytes", process_memory().resident_bytes},
                {"step_seconds", times.step_seconds},
                {"slowest_step_seconds", times.slowest_seconds},
                {"core_wait_seconds", times.core_wait_seconds}};
  for (const GrowingLine& it : growing)
    event["growing"].push_back({{"line", it.line}, {"tensors", it.tensors}, {"bytes", it.bytes}});
  log_.write("epoch", event);
  state_->run["result"]["epochs"] = epochs_done_;
  state_->run["result"]["metrics"] = metrics;
  // An epoch without a validation keeps what is known of its numbers.
  state_->run["result"]["directions"].update(
      directions_of(state.logs(), state.model, kept_->best_by()));
  kept_->end_epoch(state);
  kept_->save_now_and_then(state.model);
}

void RunRecord::not_finite(const TrainingState& state, const NotFinite& error) {
  Json event = {{"epoch", state.epoch + 1}, {"batch", state.batch + 1}, {"what", error.what()}};
  if (state.bad_batch != nullptr) event.update(bad_batch_json(*state.bad_batch));
  log_.write("not_finite", event);
}

void RunRecord::note(const StepStatistics& statistics) {
  log_.write("statistics", to_json(statistics));
}

void RunRecord::quarantine(const BadRecord& record) {
  if (!quarantine_) quarantine_.emplace(folder_.path("quarantine.jsonl"));
  ++quarantined_;
  quarantine_->write("bad_record", {{"path", record.name},
                                    {"reason", record.reason},
                                    {"detail", record.detail},
                                    {"epoch", record.epoch + 1}});
}

void RunRecord::save(const Model& model, const RunEnding& ending,
                     const std::function<bool()>& is_finite) {
  const bool has_failed = ending.status == "failed";
  const auto is_lost = [&] {
    return (kept_->has_diverged() || kept_->is_doubtful(model)) && !is_finite();
  };
  looked_for_finite_ = ending.has_diverged || (!has_failed && is_lost());
  if (looked_for_finite_)
    kept_->save_last_finite(model, is_finite);
  else if (has_failed)
    kept_->save_last_whole(model);
  else if (epochs_done_ > 0 || batches_done_ > 0)
    kept_->save(model, epochs_done_);
}

void RunRecord::end(const Model& model, const RunEnding& ending,
                    const std::function<bool()>& is_finite) {
  std::exception_ptr failure;
  RunEnding last = ending;
  try {
    save(model, ending, is_finite);
  } catch (const Error& error) {
    failure = std::current_exception();
    not_saved_ = error.what();
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

void RunRecord::write_result(const RunEnding& ending) {
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
  result["seconds"] = std::chrono::duration<double>(SteadyClock::now() - state_->start).count();
  result["predicted_step_seconds"] = plan_.step_seconds;
  result["measured_step_seconds"] = step_seconds_;
  result["data_wait_share"] = wait_share_;
  result["quarantined"] = quarantined_;
  result["measured_peak_bytes"] = process_memory().peak_resident_bytes;
  write_end();
}

// The log first: a run that is done has all its lines. A full disk may take the one and not the
// other.
void RunRecord::write_end() {
  std::exception_ptr failure;
  try {
    log_.write("end", state_->run["result"]);
    log_.sync(folder_.path("log.jsonl"));
  } catch (const Error&) {
    failure = std::current_exception();
  }
  write_run_json();
  if (failure != nullptr) std::rethrow_exception(failure);
}

void RunRecord::set_stopping(const EarlyStopping& stopping) {
  if (!stopping.best()) return;
  state_->run["result"]["early_stopping"] = {{"metric", stopping.monitor()},
                                             {"best", json_number(*stopping.best())},
                                             {"best_epoch", stopping.best_epoch() + 1},
                                             {"stopped", stopping.stopped_epoch() > 0}};
}

const nlohmann::ordered_json& RunRecord::result() const {
  return state_->run["result"];
}

void RunRecord::write_run_json() const {
  write_text(folder_.path("run.json"), state_->run);
}

}  // namespace plimsoll
