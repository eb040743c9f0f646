#include "plimsoll/train/evaluation.h"

#include <algorithm>
#include <utility>

#include "plimsoll/train/loop.h"

namespace plimsoll {
namespace {

Phase make_phase(std::string name, ModelSteps& steps, const Dataset& data,
                 const BatchChoice& choice, const ReadingOptions& reading) {
  const RecordFields fields = steps.fields_of(data.source->fields(), data);
  return Phase(
      std::move(name), read_source(data.source, reading), choice, runs_last(*data.source, choice),
      [&steps, fields](int64_t batch) { return steps.evaluate(fields, batch); }, reading);
}

}  // namespace

Evaluation::Evaluation(std::string name, ModelSteps& steps, const Dataset& data,
                       const BatchChoice& choice, const ReadingOptions& reading)
    : objective_(steps.objective()),
      phase_(make_phase(std::move(name), steps, data, choice, reading)),
      count_(std::min(phase_.loader().batch_count(),
                      choice.steps.value_or(phase_.loader().batch_count()))) {}

void Evaluation::run(const Callbacks& callbacks, TrainingState& state) {
  begin_loop(state, phase_.loader().source(), count_);
  report_bad_records(phase_.loader(), callbacks, state);
  phase_.loader().start_epoch(0);
  objective_.reset();
  notify(callbacks, &Callback::on_test_begin, state);
  const Stopwatch watch;
  for (int64_t i = 0; i < count_; ++i) {
    state.batch = i;
    const int64_t records = phase_.begin_batch();
    if (records == 0) break;
    notify(callbacks, &Callback::on_test_batch_begin, state);
    phase_.run_batch();
    end_batch(state, records, watch.seconds());
    state.expect_logs(objective_);
    notify(callbacks, &Callback::on_test_batch_end, state);
  }
  notify(callbacks, &Callback::on_test_end, state);
}

}  // namespace plimsoll
