#include "plimsoll/train/fit.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/data/stages/shuffled.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/report/console_progress.h"
#include "plimsoll/train/callbacks/number_text.h"
#include "plimsoll/train/checked_records.h"
#include "plimsoll/train/data/epoch_batches.h"
#include "plimsoll/train/evaluation.h"
#include "plimsoll/train/loop.h"
#include "plimsoll/train/memory/largest_batch.h"
#include "plimsoll/train/memory/memory_budget.h"
#include "plimsoll/train/memory/plan_memory.h"
#include "plimsoll/train/memory/plan_to_fit.h"
#include "plimsoll/train/memory/refusal.h"

namespace plimsoll {
namespace {

struct Split {
  Dataset train, validation;  // the latter without a source where there is none
};

Split split(const Dataset& data, const FitOptions& options) {
  if (data.source == nullptr) throw InvalidArgument("fit: there is no data");
  if (options.validation_data.source != nullptr) return {data, options.validation_data};
  const double fraction = options.validation_split;
  if (fraction == 0) return {data, {}};
  if (!data.buckets.empty())
    throw InvalidArgument("fit: validation_split is for data without buckets; split it before");
  const int64_t size = data.source->size();
  const auto kept = static_cast<int64_t>(static_cast<double>(size) * (1 - fraction));
  if (fraction < 0 || kept < 1 || kept == size)
    throw InvalidArgument("fit: validation_split " + number_text(fraction) + " of " +
                          std::to_string(size) + " samples leaves one part empty");
  Split parts{data, data};
  parts.train.source = subset(data.source, 0, kept);
  parts.validation.source = subset(data.source, kept, size);
  return parts;
}

void check(const FitOptions& options) {
  const auto at_least = [](const char* what, int64_t least, int64_t found) {
    if (found < least)
      throw InvalidArgument("fit: " + std::string(what) + " must be " + std::to_string(least) +
                            " or more, found " + std::to_string(found));
  };
  at_least("epochs", 1, options.epochs);
  at_least("initial_epoch", 0, options.initial_epoch);
  at_least("steps_per_epoch", 1, options.steps_per_epoch.value_or(1));
  at_least("validation_steps", 1, options.validation_steps.value_or(1));
  at_least("validation_freq", 1, options.validation_freq.every);
}

// Weights and slots that were only reserved take their memory before the first step.
void touch(const Variables& variables) {
  for (const Variable& variable : variables) variable.state()->storage.touch();
}

bool validates_after(const ValidationFrequency& frequency, int64_t epoch) {
  if (frequency.epochs.empty()) return (epoch + 1) % frequency.every == 0;
  return std::ranges::find(frequency.epochs, epoch + 1) != frequency.epochs.end();
}

// The mean of all steps but the first, which takes the arena's memory too.
class StepTime {
 public:
  void add(double seconds) {
    ++count_;
    (count_ == 1 ? first_ : rest_) += seconds;
  }
  double total() const { return first_ + rest_; }
  double mean() const { return count_ > 1 ? rest_ / static_cast<double>(count_ - 1) : first_; }

 private:
  int64_t count_ = 0;
  double first_ = 0, rest_ = 0;
};

class Fit {
 public:
  Fit(Model& model, ModelSteps& steps, const Dataset& data, const FitOptions& options)
      : model_(model),
        steps_(steps),
        options_(options),
        reading_(options.reading),
        callbacks_(options.callbacks),
        state_(model),
        test_state_(model) {
    check(options);
    parts_ = split(data, options);
    repair_tables();
    if (!options.class_weight.empty()) refuse_buckets("class_weight");
    parts_.train =
        checked_records(steps, class_weighted(steps, parts_.train, options.class_weight), reading_);
    if (options.verbose > 0)
      callbacks_.emplace_back(options.verbose == 1
                                  ? std::make_shared<ConsoleProgress>()
                                  : std::make_shared<ConsoleProgress>(stdout, false));
  }

  History run() {
    constexpr int64_t kShareOfReading = 16;
    const MemoryBudget budget = memory_budget(options_.memory);
    if (!reading_.ahead_bytes) reading_.ahead_bytes = budget.bytes / kShareOfReading;
    fit_into(budget);
    take_memory();
    state_.plan = test_state_.plan = &history_.memory;
    state_.epochs = test_state_.epochs = options_.epochs;
    state_.stop_training = false;
    for (Loader* loader : train_->loaders()) report_bad_records(*loader, callbacks_, state_);
    tell(&Callback::on_train_begin);
    EpochBatches batches(options_.steps_per_epoch, options_.initial_epoch);
    for (int64_t epoch = options_.initial_epoch; epoch < options_.epochs; ++epoch) {
      run_epoch(epoch, batches);
      if (state_.stop_training) break;
    }
    steps_.optimizer()->finalize_variable_values();
    tell(&Callback::on_train_end);
    history_.measured_step_seconds = state_.step_seconds;
    if (step_time_.total() > 0)
      history_.data_wait_share = train_->waited_seconds() / step_time_.total();
    history_.measured_peak_bytes = process_memory().peak_resident_bytes;
    return std::move(history_);
  }

 private:
  BatchChoice train_choice() const {
    return batch_choice(parts_.train, options_.batch_size, options_.steps_per_epoch);
  }

  void make_phases() {
    train_.reset();
    validation_.reset();
    std::vector<std::unique_ptr<Phase>> phases;
    for (const SourcePtr& source : sources_of(parts_.train))
      phases.push_back(std::make_unique<Phase>(
          "train", ordered(source), train_choice(), true,
          [this, fields = steps_.fields_of(source->fields(), parts_.train)](int64_t batch) {
            return steps_.train(fields, batch);
          },
          reading_));
    train_.emplace(std::move(phases), is_shuffled() ? std::optional(random_seed()) : std::nullopt);
    if (parts_.validation.source != nullptr)
      validation_.emplace(
          "validate", steps_, parts_.validation,
          batch_choice(
              parts_.validation,
              options_.validation_batch_size ? options_.validation_batch_size : options_.batch_size,
              options_.validation_steps),
          reading_);
  }

  void refuse_buckets(const char* option) const {
    if (!parts_.train.buckets.empty())
      throw InvalidArgument("fit: " + std::string(option) + " is for data without buckets");
  }

  // The validation is repaired with what the training data tells.
  void repair_tables() {
    if (!reading_.repair) return;
    refuse_buckets("repair");
    const RecordFields fields = steps_.fields_of(parts_.train.source->fields(), parts_.train);
    const ColumnValues values =
        column_values(parts_.train.source, fields.roles.inputs, *reading_.repair);
    for (SourcePtr* source : {&parts_.train.source, &parts_.validation.source})
      if (*source != nullptr) *source = repaired(*source, values);
  }

  bool is_shuffled() const { return options_.shuffle && !parts_.train.batch_size; }
  SourcePtr ordered(SourcePtr source) const {
    return is_shuffled() ? shuffled(std::move(source), {.seed = random_seed()}) : source;
  }

  [[noreturn]] void refuse(const MemoryBudget& budget, int64_t smallest) {
    constexpr double kTolerance = 1.25;  // each plan of a large model takes a second
    const MemoryPlan& plan = history_.memory;
    const auto peak_of = [&](int64_t batch) {
      return model_
          .plan(parts_.train.source->fields(), batch, parts_.train,
                {.budget_bytes = budget.bytes, .saving = options_.saving})
          .peak_bytes;
    };
    const LargestBatch largest = plan.batch_size == 1
                                     ? LargestBatch{}
                                     : largest_batch(peak_of, budget.bytes, plan.batch_size / 2,
                                                     plan.batch_size - 1, kTolerance);
    const bool takes_images = parts_.train.source->fields()[0].shape.rank() == 3;
    throw DoesNotFit("fit: " + to_string(Refusal{plan, budget, smallest, largest, takes_images}));
  }

  void fit_into(const MemoryBudget& budget) {
    const Source& source = *parts_.train.source;
    const BatchChoice choice = train_choice();
    const FittedRun run{.steps = steps_,
                        .fields = steps_.fields_of(source.fields(), parts_.train),
                        .batch_size = batch_size_of(source, choice.size_for(source.size())),
                        .options = options_.saving,
                        .plan = [this] {
                          make_phases();
                          return plan();
                        }};
    history_.memory = plan_to_fit(run, budget.bytes);
    if (history_.memory.peak_bytes > budget.bytes && reads_ahead()) {
      reading_.ahead_bytes = 0;
      history_.memory = plan_to_fit(run, budget.bytes);
    }
    if (history_.memory.peak_bytes > budget.bytes) refuse(budget, smallest_peak(run));
  }

  bool reads_ahead() const {
    return std::ranges::any_of(train_->loaders(),
                               [](const Loader* loader) { return loader->reads_ahead(); });
  }

  // All but the arena, which the first step takes, so that what was planned shows at once.
  void take_memory() {
    touch(steps_.part_sums());
    for (Loader* loader : train_->loaders()) loader->touch();
    if (validation_)
      for (Loader* loader : validation_->phases().loaders()) loader->touch();
  }

  MemoryPlan plan() {
    touch(model_.weights());
    touch(steps_.optimizer()->variables());
    std::vector<PlannedStep> phases;
    std::vector<Loader*> loaders = train_->loaders();
    for (const BatchStep* step : train_->steps()) phases.push_back({"training", step});
    if (validation_) {
      for (const BatchStep* step : validation_->phases().steps())
        phases.push_back({"validation", step});
      std::ranges::copy(validation_->phases().loaders(), std::back_inserter(loaders));
    }
    PlannedRun run{.network = model_.network(),
                   .optimizer = steps_.optimizer(),
                   .steps = phases,
                   .part_sums = steps_.part_sums(),
                   .past_peak_bytes = past_peak_bytes_};
    for (const Loader* each : loaders) {
      run.input_bytes += each->buffer_bytes();
      run.resident_input_bytes += each->buffer_bytes() - each->untouched_bytes();
    }
    MemoryPlan plan = plan_memory(run);
    for (const AnyCallback& callback : callbacks_)
      plan.callback_bytes += callback->planned_bytes(model_);
    plan.peak_bytes += plan.callback_bytes;
    return plan;
  }

  // Outside of batches, when a progress line is complete.
  void tell(Hook hook) {
    notify(callbacks_, hook, state_);
    state_.print_said();
  }

  void run_epoch(int64_t epoch, EpochBatches& batches) {
    const EpochBatches::Range range = batches.next(train_->batch_count());
    if (range.begin == 0) train_->start_epoch(range.pass);
    steps_.objective().reset();
    state_.epoch = test_state_.epoch = epoch;
    begin_loop(state_, train_->source(), range.count());
    is_finite_ = true;
    if (range.count() < options_.steps_per_epoch.value_or(0)) warn_of_end(range);
    tell(&Callback::on_epoch_begin);
    const Stopwatch watch;
    for (int64_t i = range.begin; i < range.end && !state_.stop_training; ++i) {
      state_.batch = i - range.begin;
      const int64_t records = train_->begin_batch();
      if (records == 0) {
        batches.end_pass(range);
        break;
      }
      notify(callbacks_, &Callback::on_train_batch_begin, state_);
      const Stopwatch step_watch;
      run_batch();
      step_time_.add(step_watch.seconds());
      state_.step_seconds = step_time_.mean();
      end_batch(state_, records, watch.seconds());
      notify(callbacks_, &Callback::on_train_batch_end, state_);
    }
    finish_epoch(epoch);
  }

  // Once, as it will happen again.
  void warn_of_end(const EpochBatches::Range& range) {
    if (!std::exchange(has_warned_, true))
      state_.warn("fit: the data ends after " + std::to_string(range.count()) + " of " +
                  std::to_string(*options_.steps_per_epoch) +
                  " steps of an epoch; the next one begins with its first record");
  }

  void run_batch() {
    state_.expect_logs(steps_.objective());
    try {
      train_->run_batch();
    } catch (const NotFinite& error) {
      bool is_handled = false;
      for (const AnyCallback& callback : callbacks_)
        is_handled |= callback->on_not_finite(state_, error);
      if (!is_handled) throw;
      is_finite_ = false;
      state_.stop_training = true;
      state_.logs()["loss"] = std::numeric_limits<double>::quiet_NaN();
    }
  }

  void finish_epoch(int64_t epoch) {
    Logs logs;
    read_logs(steps_.objective(), logs);
    if (!is_finite_) logs["loss"] = std::numeric_limits<double>::quiet_NaN();
    if (validation_ && validates_after(options_.validation_freq, epoch)) {
      validation_->run(callbacks_, test_state_);
      for (const auto& [name, value] : test_state_.logs()) logs["val_" + name] = value;
    }
    state_.set_logs(std::move(logs));
    tell(&Callback::on_epoch_end);
    history_.epoch.push_back(epoch);
    for (const auto& [name, value] : state_.logs()) history_.epochs[name].push_back(value);
  }

  Model& model_;
  ModelSteps& steps_;
  const FitOptions& options_;
  ReadingOptions reading_;
  Callbacks callbacks_;
  Split parts_;
  std::optional<PhaseGroup> train_;
  std::optional<Evaluation> validation_;
  TrainingState state_, test_state_;  // of training and of its validations
  bool is_finite_ = true;             // every batch of this epoch was
  bool has_warned_ = false;           // of data that ends early
  StepTime step_time_;
  const int64_t past_peak_bytes_ = process_memory().peak_resident_bytes;
  History history_;
};

}  // namespace

History fit(Model& model, ModelSteps& steps, const Dataset& data, const FitOptions& options) {
  if (options.seed) set_random_seed(*options.seed);
  return Fit(model, steps, data, options).run();
}

}  // namespace plimsoll
