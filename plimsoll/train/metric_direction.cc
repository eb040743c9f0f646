#include "plimsoll/train/metric_direction.h"

#include <algorithm>
#include <array>
#include <string>

#include "plimsoll/nn/layer.h"
#include "plimsoll/nn/loss_list.h"

namespace plimsoll {
namespace {

constexpr std::array<std::string_view, 16> kRising = {
    "accuracy", "acc",     "precision", "recall",      "auc",  "f1_score",
    "r2_score", "iou",     "mean_io_u", "mean_iou",    "io_u", "binary_io_u",
    "top_k",    "f_score", "at_recall", "at_precision"};

constexpr std::array<std::string_view, 5> kFalling = {"error", "mse", "rmse", "crossentropy",
                                                      "divergence"};

}  // namespace

std::optional<bool> metric_rises(std::string_view given) {
  const std::string name = snake_case(given);
  const auto mentions = [&](std::string_view word) { return name.find(word) != name.npos; };
  if (name == "cosine_similarity" || std::ranges::any_of(kRising, mentions)) return true;
  if (std::ranges::any_of(kFalling, mentions) || find_loss(given) != nullptr) return false;
  return std::nullopt;
}

}  // namespace plimsoll
