#include "plimsoll/train/fit.h"

#include <chrono>
#include <optional>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/report/console_progress.h"
#include "plimsoll/train/phase.h"
#include "plimsoll/train/plan_memory.h"

namespace plimsoll {
namespace {

struct Split {
  SourcePtr train, validation;  // the latter null where there is none
};

Split split(const Dataset& data, const FitOptions& options) {
  if (data.source == nullptr) throw InvalidArgument("fit: there is no data");
  if (options.validation_data.source != nullptr)
    return {data.source, options.validation_data.source};
  const double fraction = options.validation_split;
  if (fraction == 0) return {data.source, nullptr};
  const int64_t size = data.source->size();
  const auto kept = static_cast<int64_t>(static_cast<double>(size) * (1 - fraction));
  if (fraction < 0 || kept < 1 || kept == size)
    throw InvalidArgument("fit: validation_split " + std::to_string(fraction) + " of " +
                          std::to_string(size) + " samples leaves one part empty");
  return {subset(data.source, 0, kept), subset(data.source, kept, size)};
}

class Fit {
 public:
  Fit(const Network& network, ModelSteps& steps, const Dataset& data, const FitOptions& options)
      : network_(network), steps_(steps), options_(options), observers_(options.observers) {
    if (options.epochs < 1)
      throw InvalidArgument("fit: epochs must be 1 or more, found " +
                            std::to_string(options.epochs));
    const Split parts = split(data, options);
    train_.emplace("train", parts.train, options.batch_size,
                   [&](const Specs& f, int64_t n) { return steps_.train(f, n); });
    if (parts.validation != nullptr)
      validation_.emplace("validate", parts.validation, options.batch_size,
                          [&](const Specs& f, int64_t n) { return steps_.evaluate(f, n); });
    if (options.verbose > 0) observers_.push_back(std::make_shared<ConsoleProgress>());
    name_numbers();
  }

  History run() {
    History history;
    history.memory = plan();
    for (int64_t epoch = 0; epoch < options_.epochs; ++epoch) {
      run_epoch(epoch);
      for (const NamedNumber& number : numbers_)
        history.epochs[std::string(number.name)].push_back(number.value);
    }
    history.measured_peak_bytes = process_memory().peak_resident_bytes;
    return history;
  }

 private:
  void name_numbers() {
    const auto& names = steps_.metric_names();
    validation_names_.reserve(names.size());
    values_.resize(names.size());
    for (const std::string& name : names) numbers_.push_back({name, 0});
    for (size_t i = 0; validation_ && i < names.size(); ++i) {
      validation_names_.push_back("val_" + names[i]);
      numbers_.push_back({validation_names_.back(), 0});
    }
  }

  MemoryPlan plan() {
    std::vector<PlannedStep> phases = {{"training", &train_->step()}};
    int64_t inputs = train_->batches().buffer_bytes();
    if (validation_) {
      phases.push_back({"validation", &validation_->step()});
      inputs += validation_->batches().buffer_bytes();
    }
    return plan_memory(network_, steps_.optimizer(), phases, train_->batches().batch_size(), inputs,
                       inputs);
  }

  void run_epoch(int64_t epoch) {
    Batches& batches = train_->batches();
    if (options_.shuffle)
      batches.start_shuffled_epoch(random_seed(), epoch);
    else
      batches.start_epoch();
    steps_.reset_metrics();
    progress_ = {.epoch = epoch, .epochs = options_.epochs, .batches = batches.batch_count()};
    if (batches.source().fields()[0].shape.rank() == 3) progress_.unit = "images";
    for (const auto& observer : observers_) observer->on_epoch_begin(progress_);
    const auto start = std::chrono::steady_clock::now();
    for (int64_t i = 0; i < batches.batch_count(); ++i) {
      train_->run(i);
      progress_.batch = i + 1;
      progress_.samples += batches.records_of(i);
      progress_.seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      tell_batch();
    }
    finish_epoch();
  }

  // Reading memory costs a system call, metrics nothing: the former only for who watches.
  void tell_batch() {
    if (observers_.empty()) return;
    read_metrics(0);
    progress_.metrics = std::span(numbers_).first(values_.size());
    progress_.resident_bytes = process_memory().resident_bytes;
    for (const auto& observer : observers_) observer->on_batch_end(progress_);
  }

  void finish_epoch() {
    read_metrics(0);
    if (validation_) {
      steps_.reset_metrics();
      for (int64_t i = 0; i < validation_->batches().batch_count(); ++i) validation_->run(i);
      read_metrics(values_.size());
    }
    progress_.metrics = numbers_;
    progress_.resident_bytes = process_memory().resident_bytes;
    for (const auto& observer : observers_) observer->on_epoch_end(progress_);
  }

  void read_metrics(size_t at) {
    steps_.read_metrics(values_);
    for (size_t i = 0; i < values_.size(); ++i) numbers_[at + i].value = values_[i];
  }

  const Network& network_;
  ModelSteps& steps_;
  const FitOptions& options_;
  std::vector<std::shared_ptr<RunObserver>> observers_;
  std::optional<Phase> train_, validation_;
  std::vector<std::string> validation_names_;
  std::vector<double> values_;        // of the metrics, as last read
  std::vector<NamedNumber> numbers_;  // training's, then validation's
  Progress progress_;
};

}  // namespace

History fit(const Network& network, ModelSteps& steps, const Dataset& data,
            const FitOptions& options) {
  return Fit(network, steps, data, options).run();
}

}  // namespace plimsoll
