// Symptoms: what the numbers of a run show before anything is said about causes. How well it has
// learnt is measured against the best answer that does not look at the inputs.
#pragma once

#include <optional>
#include <vector>

#include "plimsoll/guards/doctor/case.h"

namespace plimsoll {

struct Symptoms {
  std::vector<double> losses;  // one per epoch
  double first_loss = 0;       // of the first step, or of the first epoch
  double last_loss = 0;
  bool has_failed = false;  // a loss or val_loss is not finite, or the run ended so
  // The loss of the best constant answer; none: the loss or the data does not say.
  std::optional<double> baseline;
  // How much of the way from that answer to a perfect one was made, by the loss or the accuracy,
  // whichever is more: 1 is perfect, 0 is nothing learnt.
  std::optional<double> skill;
  std::optional<double> accuracy;
  // The most that was reached on the validation, as `skill` by the loss.
  std::optional<double> validation_skill;
  // From 0 (it has learnt well) to 1 (nothing), by the skill, or by how far the loss has fallen.
  double badness = 0;
  double fall = 0;          // of the loss from first to last, in times of the first
  double late_fall = 0;     // over the last third of the epochs, in times of what it was before
  double rises = 0;         // share of the epochs after which the loss was more than 2% higher
  int64_t spikes = 0;       // epochs after which the loss had more than doubled
  double update_ratio = 0;  // median over steps and kernels: norm of the update / of the weights
  int64_t steps = 0;        // of training, in all
};

// Without a run, nothing is known but the baseline.
Symptoms symptoms_of(const TrainingCase& of);

// The class that most records have, as a share of all; 0 where there are no classes.
double largest_class_share(const TargetFacts& target);
// True if the numbers can only be classes: one-hot rows, or few whole numbers from 0 on.
bool are_classes(const TargetFacts& target);
// True if no way of numbering classes gives these targets: fractions, negative numbers of more than
// two kinds, or, for a single unit, very many whole numbers.
bool are_numbers(const TargetFacts& target, const OutputFacts& output);

}  // namespace plimsoll
