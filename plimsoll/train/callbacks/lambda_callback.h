// LambdaCallback: a callback whose hooks are functions.
#pragma once

#include <functional>

#include "plimsoll/record/step_statistics.h"
#include "plimsoll/train/callbacks/callback.h"

namespace plimsoll {

using CallbackFunction = std::function<void(TrainingState&)>;

using StatisticsFunction = std::function<void(TrainingState&, const StepStatistics&)>;

struct LambdaCallbackOptions {
  CallbackFunction on_epoch_begin = {};
  CallbackFunction on_epoch_end = {};
  CallbackFunction on_train_begin = {};
  CallbackFunction on_train_end = {};
  CallbackFunction on_train_batch_begin = {};
  CallbackFunction on_train_batch_end = {};
  CallbackFunction on_test_begin = {};
  CallbackFunction on_test_end = {};
  CallbackFunction on_test_batch_begin = {};
  CallbackFunction on_test_batch_end = {};
  CallbackFunction on_predict_begin = {};
  CallbackFunction on_predict_end = {};
  CallbackFunction on_predict_batch_begin = {};
  CallbackFunction on_predict_batch_end = {};
  StatisticsFunction on_statistics = {};  // steps are sampled if there is one
};

class LambdaCallback final : public Callback {
 public:
  explicit LambdaCallback(LambdaCallbackOptions options) : options_(std::move(options)) {}

  void on_epoch_begin(TrainingState& s) override { call(options_.on_epoch_begin, s); }
  void on_epoch_end(TrainingState& s) override { call(options_.on_epoch_end, s); }
  void on_train_begin(TrainingState& s) override { call(options_.on_train_begin, s); }
  void on_train_end(TrainingState& s) override { call(options_.on_train_end, s); }
  void on_train_batch_begin(TrainingState& s) override { call(options_.on_train_batch_begin, s); }
  void on_train_batch_end(TrainingState& s) override { call(options_.on_train_batch_end, s); }
  void on_test_begin(TrainingState& s) override { call(options_.on_test_begin, s); }
  void on_test_end(TrainingState& s) override { call(options_.on_test_end, s); }
  void on_test_batch_begin(TrainingState& s) override { call(options_.on_test_batch_begin, s); }
  void on_test_batch_end(TrainingState& s) override { call(options_.on_test_batch_end, s); }
  void on_predict_begin(TrainingState& s) override { call(options_.on_predict_begin, s); }
  void on_predict_end(TrainingState& s) override { call(options_.on_predict_end, s); }
  void on_predict_batch_begin(TrainingState& s) override {
    call(options_.on_predict_batch_begin, s);
  }
  void on_predict_batch_end(TrainingState& s) override { call(options_.on_predict_batch_end, s); }
  bool wants_statistics() const override { return static_cast<bool>(options_.on_statistics); }
  void on_statistics(TrainingState& s, const StepStatistics& statistics) override {
    if (options_.on_statistics) options_.on_statistics(s, statistics);
  }

 private:
  static void call(const CallbackFunction& function, TrainingState& state) {
    if (function) function(state);
  }

  LambdaCallbackOptions options_;
};

}  // namespace plimsoll
