// LambdaCallback: a callback whose hooks are functions.
#pragma once

#include <functional>

#include "plimsoll/train/callbacks/callback.h"

namespace plimsoll {

using CallbackFunction = std::function<void(TrainingState&)>;

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

 private:
  static void call(const CallbackFunction& function, TrainingState& state) {
    if (function) function(state);
  }

  LambdaCallbackOptions options_;
};

}  // namespace plimsoll
