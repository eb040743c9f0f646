#include "plimsoll/train/evaluation.h"

#include <algorithm>
#include <utility>

#include "plimsoll/train/loop.h"

namespace plimsoll {
namespace {

Phase make_phase(std::string name, ModelSteps& steps, const Dataset& data,
                 const BatchChoice& choice) {
  const RecordFields fields = steps.fields_of(data.source->fields(), data);
  return Phase(std::move(name), data.source, choice, runs_last(*data.source, choice),
               [&](int64_t batch) { return steps.evaluate(fields, batch); });
}

}  // namespace

Evaluation::Evaluation(std::string name, ModelSteps& steps, const Dataset& data,
                       const BatchChoice& choice)
    : objective_(steps.objective()),
      phase_(make_phase(std::move(name), steps, data, choice)),
      count_(std::min(phase_.batches().batch_count(),
                      choice.steps.value_or(phase_.batches().batch_count()))) {}

void Evaluation::run(const Callbacks& callbacks, TrainingState& state) {
  begin_loop(state, phase_.batches(), count_);
  objective_.reset();
  notify(callbacks, &Callback::on_test_begin, state);
  const Stopwatch watch;
  for (int64_t i = 0; i < count_; ++i) {
    state.batch = i;
    notify(callbacks, &Callback::on_test_batch_begin, state);
    phase_.run(i);
    end_batch(state, phase_.batches().records_of(i), watch.seconds());
    state.expect_logs(objective_);
    notify(callbacks, &Callback::on_test_batch_end, state);
  }
  notify(callbacks, &Callback::on_test_end, state);
}

}  // namespace plimsoll
