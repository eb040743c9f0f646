#include "plimsoll/train/callbacks/live_doctor.h"

#include <algorithm>
#include <array>

#include "plimsoll/base/report_finding.h"
#include "plimsoll/data/stages/chosen.h"
#include "plimsoll/formats/checkpoint/state.h"
#include "plimsoll/guards/doctor/symptoms.h"
#include "plimsoll/train/model.h"

namespace plimsoll {
namespace {

constexpr int64_t kFirstEpoch = 3;
constexpr int64_t kFewestSteps = 60;       // before anything is said
constexpr int64_t kMostRecords = 256;      // of the data that are looked at
constexpr int64_t kMostNumbers = 1 << 12;  // of a record; larger ones are not looked at
constexpr double kDataShare = 0.005;       // of all records that the run will read
constexpr double kLikely = 0.5;            // less is not said of a run that goes on
constexpr double kStillFalls = 0.02;       // of the loss, over the last third of the epochs

// What more epochs may cure, or what little data cannot show.
bool is_for_the_end(const std::string& cause) {
  constexpr std::array kLater = {"too_few_epochs", "underfitting", "label_noise", "model_capacity",
                                 "batch_size"};
  return std::ranges::find(kLater, cause) != kLater.end();
}

int64_t numbers_of(const Specs& fields) {
  int64_t sum = 0;
  for (const Spec& field : fields) sum += field.shape.elements();
  return sum;
}

bool can_be_looked_at(const Dataset& data) {
  return data.source != nullptr && data.buckets.empty() && data.source->stream() == nullptr &&
         numbers_of(data.source->fields()) <= kMostNumbers;
}

}  // namespace

LiveDoctor::LiveDoctor(Dataset data, LiveDoctorOptions options)
    : data_(std::move(data)), options_(std::move(options)) {}

// Sums of columns, the records that are compared, and what is kept of sampled steps.
int64_t LiveDoctor::planned_bytes(const Model& model) const {
  constexpr int64_t kPerColumn = 64, kPerWeight = 32 << 10;
  const int64_t numbers = can_be_looked_at(data_) ? numbers_of(data_.source->fields()) : 0;
  return numbers * (kPerColumn + kMostRecords * 4) + std::ssize(model.weights()) * kPerWeight;
}

void LiveDoctor::on_train_begin(TrainingState& state) {
  teller_.on_train_begin(state);
  teller_.story().is_shuffled = options_.is_shuffled;
  teller_.story().has_class_weights = options_.has_class_weights;
  teller_.story().is_of_command = options_.is_of_command;
  case_ = state.model.examine();
  next_epoch_ = kFirstEpoch;
  told_.clear();
}

void LiveDoctor::on_statistics(TrainingState& state, const StepStatistics& statistics) {
  teller_.on_statistics(state, statistics);
}

void LiveDoctor::look_at_data(const Model& model, bool is_over) {
  if (!can_be_looked_at(data_) || case_.data) return;
  const int64_t all = data_.source->size();
  const auto affordable =
      static_cast<int64_t>(kDataShare * static_cast<double>(all * teller_.story().planned_epochs));
  const int64_t count = std::min({all, kMostRecords, is_over ? all : affordable});
  if (count < std::min<int64_t>(32, all)) return;
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(i * all / count);
  Dataset some = data_;
  some.source = chosen(data_.source, std::move(numbers));
  case_.data = model.examine(some).data;
  case_.data->records = all;
}

void LiveDoctor::on_epoch_end(TrainingState& state) {
  teller_.on_epoch_end(state);
  const int64_t epoch = state.epoch + 1;
  const bool is_last = epoch == state.epochs;
  if (epoch < next_epoch_ && !is_last) return;
  next_epoch_ = epoch * 3 / 2 + 1;
  look_at_data(state.model, false);
  // A story is long: it is lent, not copied.
  case_.run = std::move(teller_.story());
  const Symptoms symptoms = symptoms_of(case_);
  const bool is_young = std::ssize(symptoms.losses) < kFirstEpoch || symptoms.steps < kFewestSteps;
  if (!is_young && (is_last || symptoms.late_fall <= kStillFalls)) tell(diagnose(case_), false);
  teller_.story() = std::move(*case_.run);
  case_.run.reset();
}

void LiveDoctor::tell(const Diagnosis& diagnosis, bool has_failed) {
  for (const DiagnosedCause& it : diagnosis.findings) {
    if (it.severity == Finding::Severity::note || is_for_the_end(it.cause)) continue;
    if (it.confidence < kLikely && !has_failed) continue;
    if (!told_.insert(it.cause).second) continue;
    if (options_.tell)
      options_.tell(it);
    else
      report(finding_of(it));
    if (listener_) listener_(it);
  }
}

bool LiveDoctor::on_not_finite(TrainingState& state, const NotFinite& error) {
  const bool goes_on = teller_.on_not_finite(state, error);
  look_at_data(state.model, true);
  case_.run = std::move(teller_.story());
  tell(diagnose(case_), true);
  teller_.story() = std::move(*case_.run);
  case_.run.reset();
  return goes_on;
}

void LiveDoctor::save_state(StateWriter& to) const {
  const std::vector<std::string> told(told_.begin(), told_.end());
  to.texts("told", told);
  to.number("next_epoch", next_epoch_);
  StateWriter story = to.within("story");
  teller_.save_state(story);
}

void LiveDoctor::load_state(const StateReader& from) {
  const std::vector<std::string> told = from.texts("told");
  told_ = {told.begin(), told.end()};
  next_epoch_ = from.number("next_epoch");
  teller_.load_state(from.within("story"));
}

}  // namespace plimsoll
