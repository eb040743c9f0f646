#include "plimsoll/train/find_learning_rate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/train/fit.h"

namespace plimsoll {
namespace {

constexpr double kExploded = 3;     // times the least loss
constexpr double kSmoothing = 0.9;  // of the running mean that the next batch keeps
constexpr double kFall = 0.03;      // of the first loss, that is more than noise
constexpr int64_t kFewest = 12;     // steps before an end is looked for

// Sets the rate of each step and keeps its loss.
class RateSweep final : public Callback {
 public:
  explicit RateSweep(const FindLearningRateOptions& options) : options_(options) {}

  void on_epoch_begin(TrainingState&) override { sum_ = 0; }
  void on_train_batch_begin(TrainingState& state) override {
    const double share =
        static_cast<double>(trials_.size()) / static_cast<double>(options_.steps - 1);
    rate_ = options_.least * std::pow(options_.largest / options_.least, share);
    state.set_learning_rate(rate_);
  }
  // The logs have the mean over the batches of the epoch so far.
  void on_train_batch_end(TrainingState& state) override {
    const double sum = state.logs().at("loss") * static_cast<double>(state.batches_done);
    const double loss = sum - std::exchange(sum_, sum);
    weight_ = kSmoothing * weight_ + (1 - kSmoothing);
    mean_ = kSmoothing * mean_ + (1 - kSmoothing) * loss;
    trials_.push_back({rate_, loss, mean_ / weight_});
    least_ = std::min(least_, trials_.back().smooth);
    const bool has_exploded = std::ssize(trials_) > kFewest && loss > kExploded * std::abs(least_);
    if (has_exploded || std::ssize(trials_) >= options_.steps) state.stop_training = true;
  }
  bool on_not_finite(TrainingState&, const NotFinite&) override { return true; }

  std::vector<TriedRate> take() { return std::move(trials_); }

 private:
  FindLearningRateOptions options_;
  std::vector<TriedRate> trials_;
  double rate_ = 0, sum_ = 0, mean_ = 0, weight_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
};

// The values of variables, put back when it ends.
class KeptValues {
 public:
  explicit KeptValues(Variables variables) : variables_(std::move(variables)) {
    for (const Variable& variable : variables_)
      values_.emplace_back(variable.data(), variable.data() + variable.spec().bytes());
  }
  ~KeptValues() {
    for (size_t i = 0; i < variables_.size(); ++i)
      std::ranges::copy(values_[i], variables_[i].data());
  }
  KeptValues(const KeptValues&) = delete;
  KeptValues& operator=(const KeptValues&) = delete;

 private:
  Variables variables_;
  std::vector<std::vector<std::byte>> values_;
};

void refuse_bad_options(const Model& model, const FindLearningRateOptions& options) {
  if (!(options.least > 0) || !(options.largest > options.least) || options.steps < kFewest)
    throw InvalidArgument(
        fmt::format("find_learning_rate: expected 0 < least < largest and at least {} steps, found "
                    "{} to {} in {} steps",
                    kFewest, options.least, options.largest, options.steps));
  if (!model.optimizer()->learning_rate().defined())
    throw InvalidArgument(
        "find_learning_rate: a schedule decides the learning rate; compile the model with a number "
        "first");
}

// The mean over the steps before and after it, which does not lag as that of steps before does.
void smooth(std::vector<TriedRate>& trials) {
  constexpr int64_t kBeside = 4;
  const int64_t count = std::ssize(trials);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t reach = std::min({kBeside, i, count - 1 - i});
    double sum = 0;
    for (int64_t k = i - reach; k <= i + reach; ++k) sum += trials[static_cast<size_t>(k)].loss;
    trials[static_cast<size_t>(i)].smooth = sum / static_cast<double>(2 * reach + 1);
  }
}

void choose(FoundLearningRate& found) {
  smooth(found.trials);
  const auto least = std::ranges::min_element(found.trials, {}, &TriedRate::smooth);
  double first = 0;  // the mean of the first steps, whose rates change nothing
  const size_t count = std::min<size_t>(kFewest, found.trials.size());
  for (size_t i = 0; i < count; ++i) first += found.trials[i].loss / static_cast<double>(count);
  if (least == found.trials.end() || first - least->smooth < kFall * std::abs(first)) {
    found.how = fmt::format("the loss fell at no rate in {} step(s)", found.trials.size());
    return;
  }
  found.rate = least->rate / 10;
  found.how = fmt::format(
      "in {} steps with growing rates the loss fell from {:.3g} to {:.3g}, its least, at the rate "
      "{:.2g}; a tenth of that is proposed",
      found.trials.size(), first, least->smooth, least->rate);
}

}  // namespace

FoundLearningRate find_learning_rate(Model& model, const Dataset& data,
                                     const FindLearningRateOptions& options) {
  refuse_bad_options(model, options);
  const auto sweep = std::make_shared<RateSweep>(options);
  FitOptions fit{.epochs = options.steps, .batch_size = options.batch_size, .verbose = 0};
  fit.memory = options.memory;
  fit.reading = options.reading;
  fit.callbacks = {sweep};
  PlannedFit planned = model.plan_fit(data, fit);
  FoundLearningRate found;
  {
    const KeptValues weights(model.weights()), state(model.optimizer()->variables());
    planned.run();
    found.trials = sweep->take();
  }
  choose(found);
  return found;
}

}  // namespace plimsoll
