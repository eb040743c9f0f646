#include "plimsoll/train/callbacks/kept_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/train/files/model_file.h"

namespace plimsoll {
namespace {

constexpr auto kBetweenSaves = std::chrono::seconds(30);

// Metrics may be NaN where nothing is wrong: the precision of no predictions, say.
bool is_finite_epoch(const Logs& logs) {
  const auto is_finite = [&](const char* name) {
    const auto found = logs.find(name);
    return found == logs.end() || std::isfinite(found->second);
  };
  return is_finite("loss") && is_finite("val_loss");
}

}  // namespace

KeptModels::KeptModels(std::optional<BestBy> best, const Model& model, SaveModel save_model)
    : best_by_(std::move(best)), save_model_(std::move(save_model)) {
  growth_.look(model);
  if (!best_by_) return;
  monitor_.emplace(
      MonitorOptions{.owner = "best model", .monitor = best_by_->metric, .mode = best_by_->mode});
  monitor_->is_improvement(0, std::nullopt, model);
}

int64_t KeptModels::disk_bytes(const Model& model, int64_t epochs, bool validates) const {
  const int64_t files = best_by_ ? 2 : 1;
  const int64_t snapshots = epochs == 1 ? 0 : (validates ? 1 : 2) + (best_by_ ? 1 : 0);
  return files * file_bytes(model) + snapshots * WeightSnapshot::bytes_of(model) +
         saving_disk_bytes(model);
}

KeptModels::KeptPtr KeptModels::unused() {
  auto free =
      std::ranges::find_if(pool_, [](const KeptPtr& kept) { return kept.use_count() == 1; });
  if (free == pool_.end())
    free = pool_.insert(free, std::make_shared<Kept>(Kept{WeightSnapshot(folder_)}));
  return *free;
}

KeptModels::KeptPtr KeptModels::keep(const Model& model, int64_t epoch) {
  KeptPtr kept = unused();
  kept->weights.take(model);
  kept->epoch = epoch;
  return kept;
}

bool KeptModels::is_best(TrainingState& state, double& value) {
  if (!monitor_) return false;
  if (!state.logs().contains(best_by_->metric)) return false;  // an epoch without a validation
  const std::optional<double> now = monitor_->value(state);
  if (!now || !std::isfinite(*now) || !monitor_->is_improvement(*now, best_value_, state.model))
    return false;
  value = *now;
  best_value_ = now;
  return true;
}

// A validation has seen the model as it is after the epoch. The loss of training has not: that one
// is finite shows in the next epoch, so the one before is kept too.
void KeptModels::end_epoch(TrainingState& state) {
  has_diverged_ = !is_finite_epoch(state.logs());
  if (has_diverged_) return;
  growth_.look(state.model);
  if (state.epochs == 1) {
    double value = 0;
    if (is_best(state, value)) only_value_ = value;
    return;
  }
  before_ = state.logs().contains("val_loss") ? nullptr : last_;
  last_ = nullptr;
  last_ = keep(state.model, state.epoch + 1);
  if (is_best(state, last_->value)) best_ = last_;
}

bool KeptModels::write(const Model& model, const std::string& path) const {
  if (save_model_) return save_model_(model, path);
  save_model(model, path);
  return true;
}

void KeptModels::write_model(const Model& model, int64_t epoch) {
  if (!write(model, folder_ + "/model.keras")) return;
  model_.epoch = epoch;
  has_model_ = true;
  model_may_differ_ = false;
  saved_at_ = Clock::now();
  if (on_first_save_) std::exchange(on_first_save_, nullptr)();
}

void KeptModels::write_best(const Model& model) {
  if (only_value_ && best_file_.epoch == 0) {
    if (write(model, folder_ + "/best.keras")) best_file_ = {1, *only_value_};
  }
  if (best_ == nullptr || (best_->epoch == best_file_.epoch && !best_may_differ_)) return;
  best_->weights.put_back(model);
  if (!write(model, folder_ + "/best.keras")) return;
  best_file_ = {best_->epoch, best_->value};
  best_may_differ_ = false;
}

void KeptModels::save_now_and_then(const Model& model) {
  if (has_diverged_ || last_ == nullptr || Clock::now() - saved_at_ < kBetweenSaves) return;
  write_model(model, last_->epoch);
  write_best(model);
  last_->weights.put_back(model);
}

void KeptModels::save(const Model& model, int64_t epochs) {
  write_model(model, epochs);
  is_as_it_ended_ = true;
  write_best(model);
}

void KeptModels::write_kept(const Model& model, const Kept& kept) {
  kept.weights.put_back(model);
  if (model_.epoch != kept.epoch || model_may_differ_) write_model(model, kept.epoch);
}

void KeptModels::save_last_whole(const Model& model) {
  if (last_ != nullptr) write_kept(model, *last_);
  if (has_model_) write_best(model);
}

void KeptModels::save_last_finite(const Model& model, const std::function<bool()>& is_finite) {
  for (const KeptPtr& kept : {last_, before_, best_}) {
    if (kept == nullptr) continue;
    kept->weights.put_back(model);
    if (!is_finite()) continue;
    write_kept(model, *kept);
    is_checked_ = true;
    break;
  }
  // Before the first epoch ended nothing was kept, and the step that failed changed no weight.
  const bool has_kept = last_ != nullptr || before_ != nullptr || best_ != nullptr;
  const bool has_trained = model.optimizer()->steps_taken() > 0;
  if (!has_kept && !has_model_ && has_trained && is_finite()) {
    write_model(model, 0);
    is_as_it_ended_ = is_checked_ = true;
  }
  if (has_model_) write_best(model);
}

// Each snapshot once, though it may be both the last and the best.
void KeptModels::save_state(StateWriter& to, const Model& model) const {
  std::vector<KeptPtr> all;
  std::vector<int64_t> roles;
  for (const KeptPtr& kept : {last_, before_, best_}) {
    if (kept != nullptr && std::ranges::find(all, kept) == all.end()) all.push_back(kept);
    roles.push_back(kept == nullptr ? -1 : std::ranges::find(all, kept) - all.begin());
  }
  to.numbers("roles", roles);
  for (size_t i = 0; i < all.size(); ++i) {
    StateWriter snapshot = to.within(fmt::format("snapshot-{}", i));
    snapshot.number("epoch", all[i]->epoch);
    snapshot.real("value", all[i]->value);
    all[i]->weights.save_state(snapshot, model);
  }
  to.real("best_value", best_value_);
  to.real("only_value", only_value_);
  to.numbers("files",
             std::array<int64_t, 4>{has_diverged_, has_model_, model_.epoch, best_file_.epoch});
  to.real("best_file_value", best_file_.value);
  StateWriter growth = to.within("growth");
  growth_.save_state(growth);
}

void KeptModels::load_state(const StateReader& from, const Model& model) {
  const std::vector<int64_t> roles = from.numbers("roles"), files = from.numbers("files");
  if (roles.size() != 3 || files.size() != 4)
    throw CorruptFile(from.path() + ": it is not the state of the kept models");
  std::vector<KeptPtr> all;
  for (int64_t i = 0; i <= std::ranges::max(roles); ++i) {
    const StateReader snapshot = from.within(fmt::format("snapshot-{}", i));
    all.push_back(unused());
    all.back()->weights.load_state(snapshot, model);
    all.back()->epoch = snapshot.number("epoch");
    all.back()->value = snapshot.real("value");
  }
  const auto role = [&](size_t i) {
    return roles[i] < 0 ? nullptr : all[static_cast<size_t>(roles[i])];
  };
  last_ = role(0);
  before_ = role(1);
  best_ = role(2);
  best_value_ = from.real_if_any("best_value");
  only_value_ = from.real_if_any("only_value");
  has_diverged_ = files[0] != 0;
  has_model_ = files[1] != 0;
  model_.epoch = files[2];
  best_file_ = {files[3], from.real("best_file_value")};
  model_may_differ_ = best_may_differ_ = true;
  growth_.load_state(from.within("growth"));
}

}  // namespace plimsoll
