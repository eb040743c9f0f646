#include "plimsoll/train/callbacks/model_checkpoint.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/checkpoint/state.h"
#include "plimsoll/train/files/file_pattern.h"
#include "plimsoll/train/files/model_file.h"
#include "plimsoll/train/model.h"

namespace plimsoll {
namespace {

std::string rounded(std::optional<double> value) {
  if (!value) return "none";
  char text[64];
  std::snprintf(text, sizeof text, "%.5f", *value);
  return text;
}

}  // namespace

SaveFrequency::SaveFrequency(const std::string& epoch) {
  if (epoch != "epoch")
    throw InvalidArgument("ModelCheckpoint: save_freq must be \"epoch\" or a number of batches, " +
                          std::string("found '") + epoch + "'");
}

SaveFrequency::SaveFrequency(int64_t number_of_batches) : batches(number_of_batches) {
  if (batches < 1)
    throw InvalidArgument(
        fmt::format("ModelCheckpoint: save_freq must be 1 batch or more, found {}", batches));
}

ModelCheckpoint::ModelCheckpoint(std::string filepath, const ModelCheckpointOptions& options)
    : filepath_(std::move(filepath)),
      options_(options),
      monitor_({"ModelCheckpoint", options.monitor, options.mode, 0}),
      best_(options.initial_value_threshold) {
  const bool fits = options.save_weights_only
                        ? filepath_.ends_with(".weights.h5")
                        : filepath_.ends_with(".keras") || filepath_.ends_with(".h5");
  if (!fits)
    throw InvalidArgument("ModelCheckpoint: the file name must end in " +
                          std::string(options.save_weights_only ? ".weights.h5" : ".keras or .h5") +
                          ", found '" + filepath_ + "'");
}

int64_t ModelCheckpoint::planned_bytes(const Model& model) const {
  return saving_bytes(model);
}

void ModelCheckpoint::on_train_batch_end(TrainingState& state) {
  if (options_.save_freq.batches == 0 || ++batches_since_ < options_.save_freq.batches) return;
  batches_since_ = 0;
  save(state, state.batch);
}

void ModelCheckpoint::on_epoch_end(TrainingState& state) {
  if (options_.save_freq.batches == 0) save(state, std::nullopt);
}

void ModelCheckpoint::say(TrainingState& state, const std::string& what) const {
  if (options_.verbose > 0) state.say(fmt::format("Epoch {}: {}", state.epoch + 1, what));
}

bool ModelCheckpoint::should_save(TrainingState& state, const std::string& path) {
  if (!options_.save_best_only) {
    say(state, "saving the model to " + path);
    return true;
  }
  const std::optional<double> current = monitor_.value(state);
  if (!current) return true;
  if (!monitor_.is_improvement(*current, best_, state.model)) {
    say(state, monitor_.name() + " did not improve from " + rounded(best_));
    return false;
  }
  say(state, monitor_.name() + " improved from " + rounded(best_) + " to " + rounded(current) +
                 ", saving the model to " + path);
  best_ = current;
  return true;
}

void ModelCheckpoint::save(TrainingState& state, std::optional<int64_t> batch) {
  const std::string path = fill_file_pattern(filepath_, state.epoch, batch, state.logs());
  if (!should_save(state, path)) return;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error)
    throw IoError("ModelCheckpoint: the folder " + folder.string() + " cannot be made (" +
                  error.message() + ")");
  if (options_.save_weights_only)
    state.model.save_weights(path);
  else
    state.model.save(path);
}

void ModelCheckpoint::save_state(StateWriter& to) const {
  to.real("best", best_);
  to.number("batches_since", batches_since_);
}

void ModelCheckpoint::load_state(const StateReader& from) {
  best_ = from.real_if_any("best");
  batches_since_ = from.number("batches_since");
}

}  // namespace plimsoll
