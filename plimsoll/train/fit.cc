#include "plimsoll/train/fit.h"

#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <optional>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/report_finding.h"
#include "plimsoll/data/stages/shuffled.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/report/console_progress.h"
#include "plimsoll/train/checked_records.h"
#include "plimsoll/train/checkpoints/run_choices.h"
#include "plimsoll/train/checkpoints/run_wishes.h"
#include "plimsoll/train/data/split_classes.h"
#include "plimsoll/train/data/validation_split.h"
#include "plimsoll/train/loop.h"
#include "plimsoll/train/memory/hold_passes.h"
#include "plimsoll/train/memory/picture_step.h"
#include "plimsoll/train/memory/refusal.h"
#include "plimsoll/train/memory/run_planner.h"
#include "plimsoll/train/runs/fit_record.h"
#include "plimsoll/train/training_loop.h"

namespace plimsoll {
namespace {

void check(const FitOptions& options) {
  const auto at_least = [](const char* what, int64_t least, int64_t found) {
    if (found < least)
      throw InvalidArgument(
          fmt::format("fit: {} must be {} or more, found {}", what, least, found));
  };
  at_least("epochs", 1, options.epochs);
  at_least("initial_epoch", 0, options.initial_epoch);
  at_least("steps_per_epoch", 1, options.steps_per_epoch.value_or(1));
  at_least("validation_steps", 1, options.validation_steps.value_or(1));
  at_least("validation_freq", 1, options.validation_freq.every);
  if (may_go_back(options) && options.run.empty())
    throw InvalidArgument("fit: on_bad_step goes back to checkpoints: give a run that keeps them");
  if (may_go_back(options) && options.checkpoints.keep == 0)
    throw InvalidArgument("fit: on_bad_step goes back to checkpoints, and none is to be kept");
}

void touch(const BucketPasses& passes) {
  for (BatchReader* loader : passes.loaders()) loader->touch();
}

}  // namespace

// Prepare, plan, run.
class PlannedFit::Run {
 public:
  Run(const Model& model, std::shared_ptr<ModelSteps> steps, const Dataset& data,
      const FitOptions& options)
      : model_(model),
        steps_(std::move(steps)),
        options_(options),
        wishes_(options),
        callbacks_(options.callbacks) {
    check(options);
    options_.checkpoints.takes_signals = wishes_.takes_signals();  // for the record
    if (options.on_bad_step == OnBadStep::rollback) refuse_schedule();
    if (!options.run.empty() && options.checkpoints.keep != 0)
      checkpoints_.emplace(options.run, options.checkpoints, may_go_back(options));
    if (goes_on()) use_seed();
    if (!options.run.empty() && options_.checkpoints.keeps_record && !is_over())
      record_.emplace(options_, goes_on());
    if (options.verbose > 0)
      callbacks_.emplace_back(options.verbose == 1
                                  ? std::make_shared<ConsoleProgress>()
                                  : std::make_shared<ConsoleProgress>(stdout, TerminalStyle{}));
    prepare(data);
    // Last: what other callbacks add to the logs is noted.
    if (record_)
      callbacks_.push_back(
          record_->recorder(model_, data_.train, data_.validation.source.get(), repair_values()));
    if (checkpoints_) identity_ = identity_of_run();
    if (goes_on()) go_on();
  }

  const MemoryPlan& memory() const { return memory_; }
  const ColumnValues& repair_values() const { return options_.reading.repair_values; }
  StepPicture picture() const {
    return picture_of(*training_.back().full.parts.large, model_.network().name());
  }

  void plan() {
    const MemoryBudget budget = budget_of_run(options_.memory, options_.reading);
    RunPlanner planner(request(options_.batch_size), budget.bytes);
    memory_ = planner.plan();
    memory_.budget_bytes = budget.is_given ? budget.bytes : 0;
    if (memory_.peak_bytes > budget.bytes) refuse(planner, budget);
    if (goes_on()) compare_choices(checkpoint(), model_, steps_->saving());
    training_ = planner.take_training();
    validation_ = planner.take_validation();
    for (auto* passes : {&training_, &validation_})
      for (PassPlan& pass : *passes)
        pass.hold_larger = [this, budget](const PassData& larger) { return hold(larger, budget); };
  }

  History run() {
    if (record_) record_->keep_picture(picture());
    for (const AnyCallback& callback : callbacks_) callback->on_plan([this] { return picture(); });
    BucketPasses train(*steps_, std::move(training_),
                       is_shuffled() ? std::optional(random_seed()) : std::nullopt);
    std::optional<Evaluation> validation;
    if (!validation_.empty())
      validation.emplace(*steps_, std::move(validation_), options_.validation_steps);
    take_memory(train, validation);
    History history = run_loop(train, validation ? &*validation : nullptr);
    history.repair_values = repair_values();
    wishes_.end();
    return history;
  }

 private:
  bool goes_on() const { return checkpoints_ && checkpoints_->found(); }
  StateReader checkpoint() const { return StateReader(*checkpoints_->found()); }

  // The run was done, and its record says so: there is nothing to add to it.
  bool is_over() const {
    return goes_on() && TrainingLoop::is_over(checkpoint(), options_) && is_done_run(options_.run);
  }

  History run_loop(BucketPasses& train, Evaluation* validation) {
    std::optional<TrainingLoop::Kept> kept;
    if (checkpoints_) kept.emplace(*checkpoints_, identity_);
    History history;
    try {
      history = TrainingLoop(model_, *steps_, options_, wishes_, callbacks_, train, validation,
                             kept ? &*kept : nullptr)
                    .run(memory_);
    } catch (...) {
      if (record_) record_->end(model_, std::current_exception(), 0, [&] { return is_finite(); });
      throw;
    }
    if (record_)
      record_->end(model_, nullptr, history.data_wait_share, [&] { return is_finite(); });
    return history;
  }

  // True if the loss of the model as it is now is finite, or if that cannot be found out.
  bool is_finite() {
    const Dataset& data = data_.validation.source != nullptr ? data_.validation : data_.train;
    if (data.source->stream() != nullptr) return true;
    try {
      return std::isfinite(model_
                               .evaluate(data, {.batch_size = options_.batch_size,
                                                .memory = options_.memory,
                                                .reading = options_.reading})
                               .at("loss"));
    } catch (const std::exception&) {
      return true;
    }
  }

  void refuse_schedule() const {
    if (!steps_->optimizer()->learning_rate().defined())
      throw InvalidArgument(
          "fit: on_bad_step goes back with half the learning rate, but a schedule decides it: give "
          "the optimizer a number, or choose to skip or to stop");
  }

  // The orders of data are drawn with the seed that the run began with.
  void use_seed() const {
    const StateReader choices = checkpoint().within("choices");
    if (!options_.seed && choices.has("seed")) set_random_seed(choices.number("seed"));
  }

  // InvalidArgument where this is another run.
  void go_on() {
    const auto is_same = [&](const StateReader& of) {
      return of.has("run/names/bytes") && changes_since(of.within("run"), identity_).empty();
    };
    if (!options_.checkpoints.allow_changed) checkpoints_->pass_over_foreign(is_same);
    use_seed();
    const std::vector<std::string> changes = changes_since(checkpoint().within("run"), identity_);
    report_changes(options_.run, changes, options_.checkpoints.allow_changed);
    use_choices(checkpoint(), options_.saving);
  }

  RunIdentity identity_of_run() const {
    RunIdentity identity = options_.checkpoints.settings;
    describe_options(identity, options_);
    describe_model(identity, model_);
    describe_data(identity, "the data", data_.train);
    if (data_.validation.source != nullptr)
      describe_data(identity, "the validation data", data_.validation);
    return identity;
  }

  void prepare(const Dataset& data) {
    if (data.source == nullptr) throw InvalidArgument("fit: there is no data");
    data_ = options_.validation_data.source != nullptr
                ? TrainingData{with_own_stream(data), with_own_stream(options_.validation_data)}
                : split_last(with_own_stream(data), options_.validation_split);
    if (options_.validation_data.source == nullptr) warn_of_sorted_classes();
    learn_repair();
    if (!options_.class_weight.empty()) refuse_buckets("class_weight");
    data_.train = checked_records(
        *steps_, class_weighted(*steps_, data_.train, options_.class_weight), options_.reading);
  }

  BatchStep hold(const PassData& larger, const MemoryBudget& budget) const {
    const Callbacks none;  // theirs is held already
    return hold_passes({.model = model_,
                        .steps = *steps_,
                        .what = "fit",
                        .passes = {larger},
                        .budget = budget,
                        .callbacks = none,
                        .saving = options_.saving})[0]
        .full;
  }

  void refuse_buckets(const char* option) const {
    if (!data_.train.buckets.empty())
      throw InvalidArgument(fmt::format("fit: {} is for data without buckets", option));
  }

  void warn_of_sorted_classes() const {
    const auto finding = about_split_classes(
        model_, data_, "fit", "shuffle the records before they are split, or give validation_data");
    if (finding) report(*finding);
  }

  // The validation is repaired with the numbers of the training data.
  void learn_repair() {
    if (!options_.reading.repair || !options_.reading.repair_values.empty()) return;
    refuse_buckets("repair");
    const RecordFields fields = steps_->fields_of(data_.train.source->fields(), data_.train);
    const ColumnValues values =
        column_values(data_.train.source, fields.roles.inputs, *options_.reading.repair);
    for (const int field : fields.roles.inputs)
      options_.reading.repair_values.push_back(values[static_cast<size_t>(field)]);
  }

  bool is_stream() const { return data_.train.source->stream() != nullptr; }
  bool is_shuffled() const { return options_.shuffle && !data_.train.batch_size && !is_stream(); }

  std::vector<PassData> training_passes(const std::optional<int64_t>& batch) const {
    std::vector<PassData> passes =
        passes_over(data_.train, *steps_,
                    {.name = "train",
                     .fields = {},
                     .choice = batch_choice(data_.train, batch, options_.steps_per_epoch),
                     .reading = options_.reading});
    if (!is_shuffled()) return passes;
    for (PassData& pass : passes) pass.source = shuffled(pass.source, {.seed = random_seed()});
    return passes;
  }

  std::vector<PassData> validation_passes(const std::optional<int64_t>& batch) const {
    if (data_.validation.source == nullptr) return {};
    const auto& size = options_.validation_batch_size ? options_.validation_batch_size : batch;
    return evaluation_passes("validate", *steps_, data_.validation,
                             batch_choice(data_.validation, size, options_.validation_steps),
                             options_.reading);
  }

  RunRequest request(const std::optional<int64_t>& batch) const {
    return {.network = model_.network(),
            .steps = *steps_,
            .saving = options_.saving,
            .training = training_passes(batch),
            .validation = validation_passes(batch),
            .callbacks = callbacks_,
            .model = &model_};
  }

  [[noreturn]] void refuse(RunPlanner& planner, const MemoryBudget& budget) const {
    RequestOfBatch request_of = [&](int64_t batch) { return request(batch); };
    // Data that comes in batches has no other ones.
    if (data_.train.batch_size || data_.validation.batch_size || is_stream()) request_of = nullptr;
    const Advice advice = advise(planner, request_of, budget.bytes);
    throw DoesNotFit("fit: " + to_string(Refusal{memory_, budget, advice}));
  }

  // All but the arena, which the first step takes, so that what was planned shows at once.
  void take_memory(const BucketPasses& train, std::optional<Evaluation>& validation) {
    for (const Variables& variables :
         {model_.weights(), steps_->optimizer()->variables(),
          steps_->optimizer()->unsaved_variables(), steps_->part_sums()})
      for (const Variable& variable : variables) variable.state()->storage.touch();
    touch(train);
    if (validation) touch(validation->passes());
  }

  Model model_;
  std::shared_ptr<ModelSteps> steps_;
  FitOptions options_;
  RunWishes wishes_;  // outlives the lock of the run, so that who sees that sees its handlers
  Callbacks callbacks_;
  TrainingData data_;
  MemoryPlan memory_;
  std::vector<PassPlan> training_, validation_;
  std::optional<Checkpoints> checkpoints_;
  RunIdentity identity_;
  std::optional<FitRecord> record_;
};

PlannedFit::PlannedFit(const Model& model, std::shared_ptr<ModelSteps> steps, const Dataset& data,
                       const FitOptions& options) {
  if (options.seed) set_random_seed(*options.seed);
  run_ = std::make_unique<Run>(model, std::move(steps), data, options);
  run_->plan();
}

PlannedFit::PlannedFit(PlannedFit&&) noexcept = default;
PlannedFit::~PlannedFit() = default;

const MemoryPlan& PlannedFit::plan() const {
  return run_->memory();
}

StepPicture PlannedFit::picture() const {
  return run_->picture();
}

const ColumnValues& PlannedFit::repair_values() const {
  return run_->repair_values();
}

History PlannedFit::run() {
  return run_->run();
}

}  // namespace plimsoll
