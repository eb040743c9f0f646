#include "plimsoll/train/evaluation.h"

#include <algorithm>
#include <utility>

#include "plimsoll/train/checked_records.h"
#include "plimsoll/train/loop.h"

namespace plimsoll {
namespace {

PhaseGroup make_phases(const std::string& name, ModelSteps& steps, const Dataset& data,
                       const BatchChoice& choice, const ReadingOptions& reading) {
  std::vector<std::unique_ptr<Phase>> phases;
  for (const SourcePtr& source : sources_of(checked_records(steps, data, reading)))
    phases.push_back(std::make_unique<Phase>(
        name, source, choice, runs_last(*source, choice),
        [&steps, fields = steps.fields_of(source->fields(), data)](int64_t batch) {
          return steps.evaluate(fields, batch);
        },
        reading));
  return PhaseGroup(std::move(phases), std::nullopt);
}

}  // namespace

Evaluation::Evaluation(const std::string& name, ModelSteps& steps, const Dataset& data,
                       const BatchChoice& choice, const ReadingOptions& reading)
    : objective_(steps.objective()),
      phases_(make_phases(name, steps, data, choice, reading)),
      count_(std::min(phases_.batch_count(), choice.steps.value_or(phases_.batch_count()))) {}

void Evaluation::run(const Callbacks& callbacks, TrainingState& state) {
  begin_loop(state, phases_.source(), count_);
  for (Loader* loader : phases_.loaders()) report_bad_records(*loader, callbacks, state);
  phases_.start_epoch(0);
  objective_.reset();
  notify(callbacks, &Callback::on_test_begin, state);
  const Stopwatch watch;
  for (int64_t i = 0; i < count_; ++i) {
    state.batch = i;
    const int64_t records = phases_.begin_batch();
    if (records == 0) break;
    notify(callbacks, &Callback::on_test_batch_begin, state);
    phases_.run_batch();
    end_batch(state, records, watch.seconds());
    state.expect_logs(objective_);
    notify(callbacks, &Callback::on_test_batch_end, state);
  }
  notify(callbacks, &Callback::on_test_end, state);
}

}  // namespace plimsoll
