// What a RunRecord says to people.
#include <fmt/format.h>

#include "plimsoll/train/runs/run_record.h"

namespace plimsoll {

std::string RunRecord::saved_text() const {
  std::string text;
  if (kept_->has_model() && kept_->is_as_it_ended())
    text = fmt::format("{}/model.keras is saved after {}", out_, done());
  else if (kept_->has_model())
    text = fmt::format("{}/model.keras is the model after {} epoch(s), the last that is {}", out_,
                       kept_->model().epoch, kept_->is_checked() ? "finite" : "whole");
  else
    text = unsaved_text();
  if (const KeptModels::Saved& best = kept_->best(); best.epoch > 0)
    text += fmt::format("; {}/best.keras is that of epoch {} ({} {:.4g})", out_, best.epoch,
                        kept_->best_by()->metric, best.value);
  if (folder_.has_earlier_model())
    text += fmt::format("; {}/model.keras is still that of the earlier run", out_);
  return text;
}

std::string RunRecord::unsaved_text() const {
  if (epochs_done_ + batches_done_ == 0) return "no batch was done, so no model is saved";
  if (!not_saved_.empty()) return "no model could be saved: " + not_saved_;
  if (epochs_done_ == 0) return "no epoch was done, so no model is saved";
  return looked_for_finite_ ? "no epoch has left a model whose loss is finite, so none is saved"
                            : "no whole epoch could be kept, so no model is saved";
}

std::string RunRecord::done() const {
  const std::string epochs = fmt::format("{} epoch(s)", epochs_done_);
  return batches_done_ > 0 ? fmt::format("{} and {} batch(es)", epochs, batches_done_) : epochs;
}

}  // namespace plimsoll
