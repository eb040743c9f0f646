#include "tests/support/resumed_run.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plimsoll::resumed {
namespace {

class NoteBadRecords final : public Callback {
 public:
  explicit NoteBadRecords(std::vector<std::string>& noted) : noted_(noted) {}
  void on_bad_record(TrainingState&, const BadRecord& record) override {
    noted_.push_back(record.name + " in epoch " + std::to_string(record.epoch));
  }
  void save_state(StateWriter& to) const override { to.texts("noted", noted_); }
  void load_state(const StateReader& from) override { noted_ = from.texts("noted"); }

 private:
  std::vector<std::string>& noted_;
};

}  // namespace

void run(const Case& of, const std::string& folder, std::optional<int64_t> stop_after,
         Result& result) {
  reset_names();
  set_random_seed(5);
  Sequential model = of.model();
  FitOptions options = of.options;
  options.verbose = 0;
  options.run = folder;
  options.checkpoints.every_seconds = 1e9;
  std::vector<std::string> bad;
  int64_t steps = 0, asked = 0;
  options.callbacks = of.callbacks();
  options.callbacks.emplace_back(NoteBadRecords(bad));
  options.callbacks.emplace_back(
      LambdaCallback({.on_train_batch_end = [&](TrainingState&) { ++steps; }}));
  options.checkpoints.wish = [&] {
    return stop_after && asked++ == *stop_after ? CheckpointWish::save_and_stop
                                                : CheckpointWish::none;
  };
  const History history = model.fit(of.data(), options);
  for (const Variables& variables : {model.weights(), model.optimizer()->variables()})
    for (const Variable& variable : variables)
      result.state.emplace_back(variable.data(), variable.data() + variable.spec().bytes());
  result.history = history.epochs;
  result.epochs = history.epoch;
  result.bad = bad;
  result.steps = steps;
}

void expect_equal(const Result& found, const Result& expected, const std::string& what) {
  EXPECT_TRUE(found.state == expected.state) << what << ": other weights";
  EXPECT_EQ(found.history, expected.history) << what;
  EXPECT_EQ(found.epochs, expected.epochs) << what;
  EXPECT_EQ(found.bad, expected.bad) << what;
}

Dataset numbers() {
  std::vector<float> x, y;
  for (int64_t i = 0; i < kRecords * 4; ++i) x.push_back(std::sin(static_cast<float>(i) * 1.7f));
  for (int64_t i = 0; i < kRecords; ++i) y.push_back(std::cos(static_cast<float>(i)));
  return {constant(x, {kRecords, 4}), constant(y, {kRecords, 1})};
}

Sequential regression(const Optimizer& optimizer) {
  Sequential model({Dense({.units = 6, .activation = "tanh"}), BatchNormalization(),
                    Dropout({.rate = 0.3}), Dense({.units = 1})});
  model.compile({.optimizer = optimizer, .loss = "mse", .metrics = {"mae"}});
  return model;
}

Case plain() {
  return {"plain", [] { return regression(); }, numbers, {.epochs = 3, .batch_size = 8}};
}

}  // namespace plimsoll::resumed
