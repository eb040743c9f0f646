// How a reducer finds the failure of the training that it was given.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "plimsoll/data/stages/chosen.h"
#include "plimsoll/data/stages/shuffled.h"
#include "plimsoll/guards/doctor/read_story.h"
#include "plimsoll/train/reduce/bad_step.h"
#include "plimsoll/train/reduce/case_records.h"
#include "plimsoll/train/reduce/reducer.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostSteps = 1000;   // from the model's own weights to a step that is not finite
constexpr int64_t kJudgedSteps = 300;  // of a run that the doctor judges

std::vector<int64_t> numbers_of(const std::vector<std::string>& names) {
  std::vector<int64_t> numbers;
  for (const std::string& name : names) numbers.push_back(std::stoll(name));
  return numbers;
}

}  // namespace

void Reducer::find_failure() {
  tell("the training as it is");
  if (!options_.run.empty() && (finds_bad_step() || finds_diagnosis_of_run())) return;
  if (finds_bad_record()) return;
  train_as_given();
}

bool Reducer::finds_bad_step() {
  Model model = make_model(setting_, best_);
  const std::optional<KeptStep> kept = read_kept_step(options_.run, base_->fields(), model);
  if (!kept) return false;
  const auto before = std::make_shared<const StartState>(model.network());
  const int64_t count = kept->records->size();
  Candidate all = best_;
  all.start = before;
  all.records = numbered_records(kept->records);
  all.batch_size = count;
  all.epochs = 1;
  const TrialResult again = run_trial(setting_, all, Look::at_steps);
  if (!again.failure || again.failure->kind != Failure::Kind::not_finite) return false;
  original_ = failure_ = *again.failure;
  base_ = kept->records;
  Numbers batch(static_cast<size_t>(count));
  std::iota(batch.begin(), batch.end(), 0);
  use_bad_step({before, numbers_of(again.records), std::move(batch), kept->number + 1});
  return true;
}

bool Reducer::finds_diagnosis_of_run() {
  const RunStory story = read_run_story(options_.run);
  if (story.not_finite || story.status == "failed") return false;
  TrainingCase found = model_.examine(data_, setting_.reading);
  found.run = story;
  const std::optional<Failure> failure = failure_of(diagnose(found));
  if (!failure)
    throw NothingFails(fmt::format(
        "reduce: nothing fails here: the doctor names no cause above a note for {}", options_.run));
  if (failure->cause == "overfitting")
    throw InvalidArgument(fmt::format(
        "reduce: {}: {}, the cause 'overfitting', shows in the records of the validation, which a "
        "case does not have: it cannot be reduced",
        options_.run, failure->what));
  original_ = failure_ = *failure;
  use_diagnosis();
  return true;
}

bool Reducer::finds_bad_record() {
  if (setting_.reading.bad.then == OnBadRecord::skip || setting_.reading.repair) return false;
  look_ = Look::at_records;
  Candidate numbered = best_;
  numbered.records = numbered_records(base_);
  const TrialResult found = run_trial(setting_, numbered, look_);
  if (!found.failure) return false;
  guesses_ = {numbers_of(found.records)};
  best_.records = chosen(base_, guesses_[0]);
  try {
    read_all(*best_.records);
  } catch (const CorruptFile& error) {
    throw CorruptFile(
        fmt::format("reduce: {}; a record that cannot be read at all is itself the smallest case",
                    error.what()));
  }
  original_ = failure_ = run_trial(setting_, best_, look_).failure.value_or(*found.failure);
  best_.records = base_;
  setting_.shuffles = false;
  return true;
}

void Reducer::train_as_given() {
  Candidate numbered = best_;
  numbered.records = numbered_records(base_);
  const TrialResult result = run_trial(setting_, numbered, Look::after_training);
  ++trials_;
  if (!result.failure && is_over())
    throw InvalidArgument(fmt::format(
        "reduce: nothing had failed when the time of {:.0f} s was over; give it more time",
        options_.seconds));
  if (!result.failure)
    throw NothingFails(
        fmt::format("reduce: nothing fails here: {} epoch(s) on {} records are finite, and the "
                    "doctor names no cause above a note",
                    best_.epochs, base_->size()));
  original_ = failure_ = *result.failure;
  if (original_.kind == Failure::Kind::diagnosis) return use_diagnosis();
  if (original_.kind == Failure::Kind::bad_record) throw InvalidArgument(original_.what);
  const int64_t batches = (base_->size() + best_.batch_size - 1) / best_.batch_size;
  use_bad_step({std::make_shared<const StartState>(result.model.network()),
                numbers_of(result.records), batch_of(original_),
                (original_.epoch - 1) * batches + original_.batch});
}

// The doctor may name the same cause before any training.
void Reducer::use_diagnosis() {
  look_ = Look::before_training;
  if (takes(best_)) return;
  look_ = Look::after_training;
  const int64_t batches = (base_->size() + best_.batch_size - 1) / best_.batch_size;
  steps_ = std::min(kJudgedSteps, best_.epochs * batches);
}

bool Reducer::takes_one_of(const std::vector<Numbers>& lists) {
  return std::ranges::any_of(
      lists, [this](const Numbers& list) { return !list.empty() && takes_records(list); });
}

void Reducer::use_bad_step(const BadStep& step) {
  look_ = Look::at_steps;
  const bool shuffles = std::exchange(setting_.shuffles, false);
  const std::vector<Numbers> lists = {step.blamed, step.batch};
  steps_ = 1;
  if (takes_one_of(lists)) return;
  steps_ = 2 * step.steps;
  if (steps_ <= kMostSteps && takes_one_of({step.batch})) {
    steps_ = 2 * failure_.epoch;  // each is a step
    return;
  }
  const StartStatePtr first = std::exchange(best_.start, step.before);
  begins_before_bad_step_ = true;
  steps_ = 1;
  if (takes_one_of(lists)) return;
  best_.start = first;
  begins_before_bad_step_ = false;
  setting_.shuffles = shuffles;
  steps_ = step.steps;
}

// The order in which fit reads the records is a function of the seed and the epoch.
Reducer::Numbers Reducer::batch_of(const Failure& failure) const {
  SourcePtr order = numbered_records(base_);
  if (setting_.shuffles) order = shuffled(order, {.seed = setting_.seed});
  Numbers batch;
  const int64_t begin = (failure.batch - 1) * best_.batch_size;
  for (int64_t i = begin; i < std::min(begin + best_.batch_size, base_->size()); ++i)
    batch.push_back(std::stoll(order->name({i, failure.epoch - 1})));
  std::ranges::sort(batch);
  return batch;
}

}  // namespace plimsoll
