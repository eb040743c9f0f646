// Classes that come one after the other, or of which one is nearly everything.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plimsoll/guards/doctor/rule_list.h"

namespace plimsoll {
namespace {

double last_metric(const RunStory& run, const char* name) {
  if (run.epochs.empty()) return std::nan("");
  const auto found = run.epochs.back().metrics.find(name);
  return found == run.epochs.back().metrics.end() ? std::nan("") : found->second;
}

void look_for_order(const Patient& patient, Suspicions& into) {
  const TargetFacts* target = patient.target();
  const RunStory* run = patient.run();
  if (target == nullptr || run == nullptr || !are_classes(*target)) return;
  if (target->mixing > patient.limits("not_shuffled.mixing")) return;
  // A validation split takes the last records: of sorted data, classes that were not trained.
  const bool lacks_classes = last_metric(*run, "val_loss") > 3 * last_metric(*run, "loss");
  if (run->is_shuffled && !lacks_classes) return;
  Suspicion suspicion{.cause = "not_shuffled"};
  suspicion.strength = run->is_shuffled ? 0.7 : 0.9;
  suspicion.what = fmt::format(
      "records are sorted by class (neighbours differ {} times as often as after a shuffle){}",
      short_number(target->mixing),
      run->is_shuffled ? ", so the validation has classes that were not trained"
                       : ", and they are not shuffled");
  suspicion.evidence = {{"mixing", target->mixing}};
  suspicion.remedy = "shuffle the records";
  suspicion.option = run->is_shuffled ? "--split-by hash" : "train without --no-shuffle";
  into.push_back(std::move(suspicion));
}

// True if all records have the same target.
bool look_for_single_class(const Patient& patient, const TargetFacts& target, Suspicions& into) {
  const auto used = std::ranges::count_if(target.class_counts, [](int64_t it) { return it > 0; });
  const DataFacts& data = *patient.of.data;
  constexpr int64_t kEnough = 1000;  // to know that no record of many is of another class
  if (used != 1 || data.looked_at < std::min(std::max<int64_t>(2, data.records), kEnough))
    return false;
  Suspicion suspicion{.cause = "class_imbalance", .strength = 0.95};
  suspicion.what = "all records have the same target, so there is nothing to learn";
  suspicion.evidence = {{"largest_class_share", 1}};
  suspicion.remedy = "look at how the labels are made: the model needs records of each class";
  suspicion.option = "plimsoll check DATA";
  into.push_back(std::move(suspicion));
  return true;
}

void look_for_imbalance(const Patient& patient, Suspicions& into) {
  const TargetFacts* target = patient.target();
  const RunStory* run = patient.run();
  if (target == nullptr) return;
  if (look_for_single_class(patient, *target, into) || !are_classes(*target)) return;
  const double share = largest_class_share(*target);
  const double fair = 1 / static_cast<double>(target->class_counts.size());
  if (share < std::max(patient.limits("class_imbalance.share"), 1.5 * fair)) return;
  if (run != nullptr && run->has_class_weights) return;
  Suspicion suspicion{.cause = "class_imbalance", .strength = patient.unless_learnt(0.8)};
  suspicion.what = fmt::format("{:.1f}% of the records have the same class", 100 * share);
  suspicion.evidence = {{"largest_class_share", share}};
  suspicion.remedy = "count records of rare classes more";
  suspicion.option = "--class-weight balanced";
  into.push_back(std::move(suspicion));
}

}  // namespace

Rule not_shuffled_rule() {
  return {"not_shuffled",
          "data, run",
          {{"not_shuffled.mixing", 0.3,
            "changes of class between neighbours, in times of those of a shuffle, at least"}},
          nullptr,
          look_for_order};
}

Rule class_imbalance_rule() {
  return {"class_imbalance",
          "data",
          {{"class_imbalance.share", 0.8, "of the records that have the same class, at most"}},
          nullptr,
          look_for_imbalance};
}

}  // namespace plimsoll
