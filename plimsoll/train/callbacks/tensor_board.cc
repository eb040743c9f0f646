#include "plimsoll/train/callbacks/tensor_board.h"

#include <array>
#include <utility>

#include "plimsoll/formats/checkpoint/state.h"
#include "plimsoll/guards/statistics/number_summary.h"
#include "plimsoll/report/board/training_board.h"
#include "plimsoll/train/callbacks/network_graph.h"
#include "plimsoll/train/model.h"

namespace plimsoll {
namespace {

constexpr size_t kBuckets = 30;  // of a histogram, as TensorFlow has

double per_second(int64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

HyperParameters with_usual(HyperParameters given, TrainingState& state) {
  given.emplace("epochs", static_cast<double>(state.epochs));
  given.emplace("learning_rate", state.learning_rate());
  given.emplace("optimizer", std::string(state.model.optimizer()->class_name()));
  if (state.plan != nullptr)
    given.emplace("batch_size", static_cast<double>(state.plan->batch_size));
  return given;
}

}  // namespace

TensorBoard::TensorBoard(std::string log_dir, TensorBoardOptions options)
    : log_dir_(std::move(log_dir)), options_(std::move(options)) {
  if (log_dir_.empty()) throw InvalidArgument("TensorBoard: the folder has no name");
  if (options_.histogram_freq < 0 || options_.update_freq < 0)
    throw InvalidArgument("TensorBoard: histogram_freq and update_freq must not be below 0");
}

void TensorBoard::on_train_begin(TrainingState& state) {
  board_ = std::make_shared<TrainingBoard>(
      log_dir_, options_.update_freq == 0 ? BoardFiles::Steps::alike : BoardFiles::Steps::mixed);
  steps_ = findings_ = 0;
  if (!state.is_resumed) begin(state);
}

void TensorBoard::begin(TrainingState& state) {
  if (options_.write_graph) board_->add_graph(network_graph(state.model.network()));
  board_->add_hyper_parameters(with_usual(options_.hyper_parameters, state));
  for (const BadRecord& record : std::exchange(before_begin_, {})) on_bad_record(state, record);
  write_findings(state.epoch);
}

void TensorBoard::on_epoch_begin(TrainingState& state) {
  write_findings(state.epoch);
}

void TensorBoard::on_train_batch_end(TrainingState& state) {
  ++steps_;
  if (options_.update_freq == 0 || steps_ % options_.update_freq != 0) return;
  board_->add_batch(
      steps_, state.logs(),
      options_.write_steps_per_second ? per_second(state.batches_done, state.seconds) : 0);
}

void TensorBoard::on_epoch_end(TrainingState& state) {
  const MemoryUse memory = state.memory();
  BoardEpoch epoch{.epoch = state.epoch, .metrics = state.logs()};
  epoch.learning_rate = state.learning_rate();
  epoch.samples_per_second = per_second(state.samples, state.seconds);
  if (options_.write_steps_per_second)
    epoch.steps_per_second = per_second(state.batches_done, state.seconds);
  epoch.resident_bytes = memory.resident_bytes;
  epoch.planned_peak_bytes = memory.planned_peak_bytes;
  board_->add_epoch(epoch);
  if (options_.histogram_freq > 0 && state.epoch % options_.histogram_freq == 0)
    write_weights(state.model, state.epoch);
  write_findings(state.epoch);
}

void TensorBoard::write_weights(const Model& model, int64_t epoch) {
  Histogram histogram;
  histogram.counts.resize(kBuckets);
  for (const Variable& weight : model.network().weights()) {
    if (weight.spec().dtype != DType::float32) continue;
    const std::span<const float> numbers(reinterpret_cast<const float*>(weight.data()),
                                         static_cast<size_t>(weight.spec().shape.elements()));
    fill_histogram(numbers, summarize(numbers), histogram);
    board_->add_histogram(weight.state()->name + "/histogram", histogram, epoch);
  }
}

void TensorBoard::write_findings(int64_t epoch) {
  if (options_.findings == nullptr) return;
  for (; findings_ < std::ssize(*options_.findings); ++findings_)
    board_->add_finding((*options_.findings)[static_cast<size_t>(findings_)], epoch);
}

void TensorBoard::on_statistics(TrainingState&, const StepStatistics& statistics) {
  board_->add_statistics(statistics);
}

void TensorBoard::on_bad_record(TrainingState& state, const BadRecord& record) {
  if (!options_.bad_records) return;
  if (board_ != nullptr)
    board_->add_bad_record(record.name, record.reason + ": " + record.detail, state.epoch);
  else if (std::ssize(before_begin_) < TrainingBoard::kMostBadRecords)
    before_begin_.push_back(record);
}

bool TensorBoard::on_not_finite(TrainingState&, const NotFinite&) {
  board_->add_outcome(true);
  return false;
}

void TensorBoard::on_train_end(TrainingState& state) {
  write_findings(state.epoch);
  board_->add_outcome(false);
  board_.reset();
}

int64_t TensorBoard::planned_bytes(const Model& model) const {
  return TrainingBoard::kBytes + (options_.bad_records ? TrainingBoard::kPictureBytes : 0) +
         (options_.write_graph ? TrainingBoard::graph_bytes(count_layers(model.network())) : 0);
}

void TensorBoard::save_state(StateWriter& to) const {
  to.text("board", board_->state());
  to.numbers("counts", std::array{steps_, findings_});
}

void TensorBoard::load_state(const StateReader& from) {
  const std::vector<int64_t> counts = from.numbers("counts");
  if (counts.size() != 2)
    throw CorruptFile(from.path() + ": it is not the state of a TensorBoard callback");
  steps_ = counts[0];
  findings_ =
      std::min(counts[1], options_.findings == nullptr ? 0 : std::ssize(*options_.findings));
  board_->go_on(from.text("board"), from.path());
}

}  // namespace plimsoll
