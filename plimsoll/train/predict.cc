#include "plimsoll/train/predict.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/data/stages/record_marks.h"
#include "plimsoll/report/console_progress.h"
#include "plimsoll/train/checked_records.h"
#include "plimsoll/train/loop.h"
#include "plimsoll/train/memory/hold_passes.h"
#include "plimsoll/train/steps/data_pass.h"

namespace plimsoll {
namespace {

// Room for the outputs of `samples` records, if they are to be kept.
std::vector<HostTensor> make_results(const Program& program, int64_t batch_size, int64_t samples,
                                     bool is_kept) {
  std::vector<HostTensor> results;
  for (const int output : program.outputs) {
    Spec spec = program.spec(output);
    if (spec.shape.rank() == 0 || spec.shape[0] != batch_size)
      throw InvalidArgument("predict: an output of shape " + spec.shape.to_string() +
                            " does not have one row per sample; call the model itself instead");
    spec.shape[0] = samples;
    if (is_kept) results.push_back({spec, std::make_shared<Storage>(spec.bytes())});
  }
  return results;
}

void copy_rows(const CompiledStep& step, std::vector<HostTensor>& results, int64_t done,
               int64_t count) {
  for (size_t o = 0; o < results.size(); ++o) {
    const int64_t row_bytes = results[o].spec.bytes() / results[o].spec.shape[0];
    std::memcpy(results[o].storage->data() + done * row_bytes,
                step.output(static_cast<int>(o))->data(), static_cast<size_t>(count * row_bytes));
  }
}

Tensors outputs_of(const CompiledStep& step) {
  Tensors outputs;
  for (size_t o = 0; o < step.program().outputs.size(); ++o)
    outputs.push_back(
        wrap(step.output(static_cast<int>(o)), step.program().spec(step.program().outputs[o])));
  return outputs;
}

// Bytes of the outputs of `samples` records, if they are to be kept.
int64_t kept_bytes(ModelSteps& steps, const PassData& data, int64_t samples, bool is_kept) {
  if (!is_kept) return 0;
  const BatchStep step = steps.compile(StepKind::predict, data.fields, batch_size_of(data));
  return step.parts.large->memory().output_bytes / step.sizes.batch * samples;
}

PassPlan plan_prediction(const Model& model, ModelSteps& steps, PassData data, int64_t samples,
                         const PredictOptions& options, const Callbacks& callbacks) {
  const MemoryBudget budget = budget_of_run(options.memory, data.reading);
  const int64_t kept = kept_bytes(steps, data, samples, options.collect);
  // So many batches were asked for.
  const bool is_fixed = options.steps.has_value();
  return std::move(hold_passes({.model = model,
                                .steps = steps,
                                .what = "predict",
                                .passes = {std::move(data)},
                                .budget = budget,
                                .callbacks = callbacks,
                                .kept_bytes = kept,
                                .may_part = !is_fixed})[0]);
}

// The outputs of records that were left out are NaN, so that all others keep their places.
class LeftOutRecords {
 public:
  LeftOutRecords(SourcePtr source, const BadRecordOptions& options)
      : source_(with_marks(std::move(source), marks_)), bad_(source_->size(), options) {}

  const SourcePtr& source() const { return source_; }
  BadRecords& bad_records() { return bad_; }

  // After a batch; throws where they are too many.
  void blank(const CompiledStep& step, int64_t first, int64_t count) {
    for (const auto& [record, error] : marks_->take(first, count)) {
      bad_.add(source_->name(record), 0, error);
      for (size_t o = 0; o < step.program().outputs.size(); ++o)
        blank_row(step, static_cast<int>(o), record - first);
    }
  }

 private:
  static void blank_row(const CompiledStep& step, int output, int64_t row) {
    const Spec& spec = step.program().spec(step.program().outputs[static_cast<size_t>(output)]);
    const int64_t bytes = spec.bytes() / spec.shape[0];
    std::byte* begin = step.output(output)->data() + row * bytes;
    // A row of ones is NaN in every floating type.
    std::memset(begin, is_integer(spec.dtype) || spec.dtype == DType::boolean ? 0 : 0xff,
                static_cast<size_t>(bytes));
  }

  std::shared_ptr<RecordMarks> marks_ = std::make_shared<RecordMarks>();
  SourcePtr source_;
  BadRecords bad_;
};

}  // namespace

Tensors predict(Model& model, ModelSteps& steps, const Dataset& data,
                const PredictOptions& options) {
  const RecordFields fields = steps.input_fields_of(data.source->fields(), data);
  const BatchChoice choice = batch_choice(data, options.batch_size, options.steps);
  if (!data.buckets.empty())
    throw InvalidArgument("predict: the outputs of buckets have no common shape; ask for each");
  Callbacks callbacks = options.callbacks;
  if (options.verbose > 0) callbacks.emplace_back(std::make_shared<ConsoleProgress>());
  SourcePtr checked = checked_inputs(steps, data, options.reading).source;
  ReadingOptions reading = options.reading;
  std::optional<LeftOutRecords> left_out;
  if (reading.bad.then == OnBadRecord::skip) {
    left_out.emplace(checked, reading.bad);
    checked = left_out->source();
    reading.bad.then = OnBadRecord::fail;
  }
  PassData whole{.name = "predict",
                 .kind = StepKind::predict,
                 .fields = fields,
                 .choice = choice,
                 .source = checked,
                 .runs_last = runs_last(*checked, choice),
                 .reading = reading};
  const int64_t asked = batch_size_of(whole);
  const int64_t samples =
      options.steps ? std::min(checked->size(), asked * *options.steps) : checked->size();
  DataPass pass(steps,
                plan_prediction(model, steps, std::move(whole), samples, options, callbacks));
  Loader& batches = pass.loader();
  const int64_t count = (samples + batches.batch_size() - 1) / batches.batch_size();
  std::vector<HostTensor> results = make_results(pass.step().parts.large->program(),
                                                 batches.batch_size(), samples, options.collect);

  TrainingState state(model);
  begin_loop(state, batches.source(), count);
  if (left_out) report_bad_records(left_out->bad_records(), callbacks, state);
  batches.start_epoch(0);
  notify(callbacks, &Callback::on_predict_begin, state);
  const Stopwatch watch;
  for (int64_t i = 0; i < count; ++i) {
    state.batch = i;
    const int64_t records = pass.begin_batch();
    notify(callbacks, &Callback::on_predict_batch_begin, state);
    const CompiledStep& step = pass.run_batch();
    if (left_out) left_out->blank(step, state.samples, records);
    copy_rows(step, results, state.samples, records);
    end_batch(state, records, watch.seconds());
    if (!callbacks.empty()) state.outputs = outputs_of(step);
    notify(callbacks, &Callback::on_predict_batch_end, state);
    state.outputs.clear();
  }
  notify(callbacks, &Callback::on_predict_end, state);
  state.print_said();

  Tensors tensors;
  for (HostTensor& result : results) tensors.push_back(wrap(result.storage, result.spec));
  return tensors;
}

}  // namespace plimsoll
