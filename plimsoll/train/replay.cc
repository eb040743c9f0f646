#include "plimsoll/train/replay.h"

#include <fmt/format.h>

#include <span>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/checkpoint/checkpoint_folder.h"
#include "plimsoll/guards/statistics/number_summary.h"
#include "plimsoll/train/checkpoints/saved_variables.h"
#include "plimsoll/train/memory/plan_layers.h"
#include "plimsoll/train/model.h"
#include "plimsoll/train/steps/model_steps.h"

namespace plimsoll {
namespace {

constexpr size_t kBins = 20;

Histogram histogram_of(const Spec& spec, const std::byte* data) {
  if (spec.dtype != DType::float32) return {};
  const std::span numbers(reinterpret_cast<const float*>(data),
                          static_cast<size_t>(spec.shape.elements()));
  Histogram histogram;
  histogram.counts.resize(kBins);
  fill_histogram(numbers, summarize(numbers), histogram);
  return histogram;
}

// Keeps what is asked for.
class ReplayWatch final : public StepWatch {
 public:
  ReplayWatch(std::string root, std::string at) : root_(std::move(root)), at_(std::move(at)) {}

  void before(const ShownInstruction& shown) override {
    inputs_.clear();
    for (size_t i = 0; i < shown.inputs.size(); ++i)
      inputs_.push_back(
          finite_range(shown.program.spec(shown.instruction.inputs[i]), shown.inputs[i]));
  }

  void after(const ShownInstruction& shown) override {
    const Instruction& instruction = shown.instruction;
    const std::string path = instruction.scope == nullptr ? "" : *instruction.scope;
    ReplayedOperation operation{.op = std::string(instruction.op->name()),
                                .gradient_of = std::string(instruction.gradient_of),
                                .layer = without_root(path, root_),
                                .where = instruction.where,
                                .inputs = inputs_,
                                .outputs = {},
                                .histograms = {}};
    if (!is_asked_for(operation)) return;
    for (size_t i = 0; i < shown.outputs.size(); ++i) {
      const Spec& spec = shown.program.spec(instruction.outputs[i]);
      operation.outputs.push_back(finite_range(spec, shown.outputs[i]));
      operation.histograms.push_back(histogram_of(spec, shown.outputs[i]));
    }
    seen_.push_back(std::move(operation));
  }

  std::vector<ReplayedOperation> take() { return std::move(seen_); }

 private:
  bool is_asked_for(const ReplayedOperation& operation) const {
    return at_.empty() || operation.op == at_ || operation.layer == at_ ||
           operation.layer.starts_with(at_ + "/");
  }

  std::string root_, at_;
  std::vector<FiniteRange> inputs_;
  std::vector<ReplayedOperation> seen_;
};

// The part of a batch, as it was saved.
class SavedBatch {
 public:
  explicit SavedBatch(const StateReader& from) : first_(from.number("first")) {
    const int64_t count = from.number("fields");
    for (int64_t i = 0; i < count; ++i) read_field(from, fmt::format("field-{}", i));
    fields_.roles = {roles(from, "inputs"), roles(from, "targets"), roles(from, "weights")};
  }

  const RecordFields& fields() const { return fields_; }
  int64_t samples() const { return samples_; }

  void bind(CompiledStep& step) const {
    int slot = 0;
    for (const std::vector<std::byte>& bytes : bytes_) step.bind_input(slot++, bytes.data());
    step.bind_input(slot, reinterpret_cast<const std::byte*>(&first_));
    step.bind_input(slot + 1, reinterpret_cast<const std::byte*>(&is_first_));
  }

 private:
  void read_field(const StateReader& from, const std::string& name) {
    const Spec& spec = from.spec(name);
    if (spec.shape.rank() == 0 || spec.shape[0] < 1 || (samples_ > 0 && spec.shape[0] != samples_))
      throw CorruptFile(from.path() + ": '" + name + "' has another number of records");
    samples_ = spec.shape[0];
    fields_.specs.push_back({spec.dtype, spec.shape.without(0)});
    bytes_.emplace_back(static_cast<size_t>(spec.bytes()));
    from.bytes(name, bytes_.back());
  }

  std::vector<int> roles(const StateReader& from, const char* name) const {
    std::vector<int> found;
    for (const int64_t role : from.numbers(name)) {
      if (role < -1 || role >= std::ssize(fields_.specs))
        throw CorruptFile(fmt::format("{}: there is no field {}", from.path(), role));
      found.push_back(static_cast<int>(role));
    }
    return found;
  }

  RecordFields fields_;
  int64_t samples_ = 0;
  std::vector<std::vector<std::byte>> bytes_;
  int64_t first_;
  bool is_first_ = true;
};

// A model that was read from a file does not know the lines of the program; the run knows the one
// that made the first number that is not finite.
void add_line(const StateReader& first, std::vector<ReplayedOperation>& operations) {
  if (!first.has("line") || first.number("line") == 0) return;
  const auto found = std::ranges::find_if(operations, [&](const ReplayedOperation& it) {
    return it.op == first.text("op") && it.layer == first.text("layer") &&
           it.gradient_of == first.text("gradient_of") &&
           !std::ranges::all_of(it.outputs, &FiniteRange::is_finite);
  });
  if (found != operations.end() && !found->where.is_in_program())
    found->where = Place::at(first.text("file"), static_cast<unsigned>(first.number("line")));
}

}  // namespace

void save_first_bad(StateWriter to, const FirstBad& first) {
  const Place where = first.where.is_in_program() ? first.where : Place();
  to.text("op", first.op);
  to.text("gradient_of", first.gradient_of);
  to.text("layer", first.layer);
  to.text("file", where.file);
  to.number("line", where.line);
}

std::string bad_step_folder(const std::string& run) {
  return run + "/bad-steps";
}

std::vector<int64_t> bad_steps(const std::string& run) {
  return CheckpointFolder(bad_step_folder(run)).numbers();
}

ReplayedStep replay_step(const Model& model, ModelSteps& steps, const std::string& run,
                         int64_t step, const std::string& at) {
  const CheckpointFile file =
      CheckpointFile::open(CheckpointFolder(bad_step_folder(run)).path_of(step));
  const StateReader from(file);
  const SavedBatch batch(from.within("batch"));
  load_variables(from.within("variables"), computed_from(model));
  const StepPtr probe =
      steps.compile_probe(batch.fields(), batch.samples(), ModelSteps::Probe::as_recorded);
  batch.bind(*probe);
  ReplayWatch watch(model.network().name(), at);
  try {
    probe->compute_watched(watch);
  } catch (const NotFinite&) {  // NOLINT(bugprone-empty-catch): as it was then
  }
  ReplayedStep replayed{from.text("cause"), from.within("batch").texts("records"), watch.take()};
  if (replayed.operations.empty())
    throw InvalidArgument(
        fmt::format("replay: no layer and no operation of the step is called '{}'", at));
  add_line(from.within("first"), replayed.operations);
  return replayed;
}

}  // namespace plimsoll
