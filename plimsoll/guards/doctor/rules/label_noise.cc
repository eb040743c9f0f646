// Labels that have nothing to do with the inputs, such as those of other records.
#include <fmt/format.h>

#include "plimsoll/guards/doctor/rule_list.h"

namespace plimsoll {
namespace {

void look_for_label_noise(const Patient& patient, Suspicions& into) {
  const TargetFacts* target = patient.target();
  const Symptoms& it = patient.symptoms;
  if (target == nullptr || patient.run() == nullptr || !target->neighbour_skill || !it.skill)
    return;
  const double near = *target->neighbour_skill;
  const double limit = patient.limits("label_noise.skill");
  // What was learnt by heart does not show on other records.
  const double learnt = it.validation_skill.value_or(*it.skill);
  if (near > limit || learnt > limit || it.has_failed) return;
  Suspicion suspicion{.cause = "label_noise"};
  suspicion.strength = it.validation_skill ? 0.75 : 0.65;
  suspicion.what = fmt::format(
      "neither the run nor the records that are most like a record predict its target: they make "
      "{:.0f}% "
      "and {:.0f}% of the way from a constant answer to a perfect one",
      100 * learnt, 100 * near);
  suspicion.evidence = {{"skill", learnt}, {"neighbour_skill", near}};
  suspicion.remedy = "look whether inputs and targets of a record belong together";
  suspicion.option = "plimsoll check DATA";
  into.push_back(std::move(suspicion));
}

}  // namespace

Rule label_noise_rule() {
  return {"label_noise",
          "data, run",
          {{"label_noise.skill", 0.06,
            "of the way from a constant answer to a perfect one, or less, is nothing"}},
          look_for_label_noise};
}

}  // namespace plimsoll
