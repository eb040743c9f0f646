#include "plimsoll/train/reduce/trial.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/json.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/nn/keras/network_config.h"
#include "plimsoll/train/callbacks/run_storyteller.h"
#include "plimsoll/train/checked_records.h"
#include "plimsoll/train/files/compile_config.h"
#include "plimsoll/train/fit.h"
#include "plimsoll/train/steps/bad_batch.h"

namespace plimsoll {
namespace {

// Thrown by a trial whose time is over.
class TrialEnded : public Error {
 public:
  TrialEnded() : Error("the trial has ended") {}
};

void end_if_over(const TrialSetting& setting) {
  if (setting.is_over && setting.is_over()) throw TrialEnded();
}

// Ends a trial whose time is over, and notes the step that is not finite.
class TrialWatch final : public Callback {
 public:
  explicit TrialWatch(const TrialSetting& setting) : setting_(setting) {}

  void on_train_batch_end(TrainingState&) override { end_if_over(setting_); }

  bool on_not_finite(TrainingState& state, const NotFinite& error) override {
    if (state.bad_batch != nullptr) {
      failure = failure_of_step(*state.bad_batch);
      records = state.bad_batch->records;
    } else {
      failure = {.kind = Failure::Kind::not_finite, .what = error.what()};
    }
    failure.epoch = state.epoch + 1;
    failure.batch = state.batch + 1;
    return false;
  }

  Failure failure;
  std::vector<std::string> records;

 private:
  const TrialSetting& setting_;
};

// Reads the records as fit does. That a step can be planned is seen first, as in fit.
std::optional<Failure> look_at_records(const TrialSetting& setting, const Candidate& candidate,
                                       Model& model, std::vector<std::string>& records) {
  const Dataset data = dataset_of(setting, candidate.records);
  const Specs& specs = data.source->fields();
  model.plan(specs, candidate.batch_size, data);
  ModelSteps steps(network_from_json(parse_json(candidate.network, "reduce")),
                   model.compile_options());
  const Dataset checked = checked_records(steps, data, setting.reading);
  std::vector<std::vector<std::byte>> buffers;
  std::vector<std::byte*> into;
  for (const Spec& spec : specs)
    into.push_back(buffers.emplace_back(static_cast<size_t>(spec.bytes())).data());
  for (int64_t i = 0; i < checked.source->size(); ++i) {
    end_if_over(setting);
    try {
      checked.source->read(i, into);
    } catch (const Error& error) {
      records = {checked.source->name(i)};
      return failure_of_record(error);
    }
  }
  return std::nullopt;
}

std::optional<Failure> train(const TrialSetting& setting, const Candidate& candidate, Model& model,
                             const Callbacks& more, std::vector<std::string>& records) {
  const auto watch = std::make_shared<TrialWatch>(setting);
  FitOptions options{.epochs = candidate.epochs, .batch_size = candidate.batch_size};
  options.shuffle = setting.shuffles;
  options.seed = setting.seed;
  options.memory = setting.memory;
  options.reading = setting.reading;
  options.verbose = 0;
  options.callbacks = more;
  options.callbacks.emplace_back(watch);
  PlannedFit fit = model.plan_fit(dataset_of(setting, candidate.records), options);
  try {
    fit.run();
  } catch (const NotFinite&) {
    records = watch->records;
    return watch->failure;
  } catch (const CorruptFile& error) {
    return failure_of_record(error);
  } catch (const IoError& error) {
    return failure_of_record(error);
  }
  return std::nullopt;
}

std::optional<Failure> ask_doctor(const TrialSetting& setting, const Candidate& candidate,
                                  Model& model, Look look, std::vector<std::string>& records) {
  TrainingCase found = model.examine(dataset_of(setting, candidate.records), setting.reading);
  if (look == Look::before_training) return failure_of(diagnose(found));
  const auto teller = std::make_shared<RunStoryteller>();
  teller->story().is_shuffled = setting.shuffles;
  if (auto failure = train(setting, candidate, model, {teller}, records)) return failure;
  found.run = teller->story();
  return failure_of(diagnose(found));
}

}  // namespace

Model make_model(const TrialSetting& setting, const Candidate& candidate) {
  set_random_seed(setting.seed);
  const std::shared_ptr<Network> network =
      network_from_json(parse_json(candidate.network, "reduce"));
  Model model(network);
  model.compile(read_compile_config(parse_json(setting.compile, "reduce")));
  candidate.start->apply(*network);
  return model;
}

Dataset dataset_of(const TrialSetting& setting, const SourcePtr& records) {
  Dataset data(records);
  static_cast<FieldMeaning&>(data) = setting.meaning;
  return data;
}

TrialResult run_trial(const TrialSetting& setting, const Candidate& candidate, Look look) {
  TrialResult result{.model = make_model(setting, candidate)};
  try {
    if (look == Look::at_records)
      result.failure = look_at_records(setting, candidate, result.model, result.records);
    else if (look == Look::at_steps)
      result.failure = train(setting, candidate, result.model, {}, result.records);
    else
      result.failure = ask_doctor(setting, candidate, result.model, look, result.records);
  } catch (const TrialEnded&) {
    result.failure.reset();
  }
  return result;
}

}  // namespace plimsoll
