// Schedule: a learning rate that depends on the number of the step. It is computed inside the step,
// so one plan serves every step.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "plimsoll/graph/tensor.h"

namespace plimsoll {

class Fields;

class ScheduleBody {
 public:
  virtual ~ScheduleBody() = default;
  // Keras's class name: "ExponentialDecay".
  virtual std::string_view class_name() const = 0;
  // The rate of the step after `iterations` (int64 scalar) steps: a float32 scalar.
  virtual Tensor rate(const Tensor& iterations) const = 0;
  virtual void config_fields(Fields& fields) const = 0;
};

// A body that is described by options, as LayerOf.
template <class Options>
class ScheduleOf : public ScheduleBody {
 public:
  explicit ScheduleOf(const Options& options) : options_(options) {}
  void config_fields(Fields& fields) const override {
    Options copy = options_;
    describe(fields, copy);
  }

 protected:
  Options options_;
};

// A shared handle.
class Schedule {
 public:
  Schedule() = default;
  explicit Schedule(std::shared_ptr<const ScheduleBody> body) : body_(std::move(body)) {}

  bool defined() const { return body_ != nullptr; }
  // Recorded.
  Tensor operator()(const Tensor& iterations) const { return body_->rate(iterations); }
  // Computed now.
  double at(int64_t iterations) const;
  const ScheduleBody& operator*() const { return *body_; }
  const ScheduleBody* operator->() const { return body_.get(); }

 private:
  std::shared_ptr<const ScheduleBody> body_;
};

// A number, or a schedule.
class LearningRate {
 public:
  LearningRate(double number) : number_(number) {}
  LearningRate(const Schedule& schedule) : schedule_(schedule) {}

  bool is_schedule() const { return schedule_.defined(); }
  double number() const { return number_; }
  const Schedule& schedule() const { return schedule_; }

 private:
  double number_ = 0;
  Schedule schedule_;
};

}  // namespace plimsoll
