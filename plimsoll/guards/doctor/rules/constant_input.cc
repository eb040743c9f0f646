// An input is the same in every record.
#include <fmt/format.h>

#include "plimsoll/guards/doctor/rule_list.h"

namespace plimsoll {
namespace {

void look_for_constant_input(const Patient& patient, Suspicions& into) {
  if (!patient.of.data || patient.of.data->looked_at < 2) return;
  for (const InputFacts& input : patient.of.data->inputs) {
    if (input.columns == 0) continue;
    const double share =
        static_cast<double>(input.constant_columns) / static_cast<double>(input.columns);
    if (share < patient.limits("constant_input.share")) continue;
    Suspicion suspicion{.cause = "constant_input"};
    suspicion.strength = share >= 1 ? 0.97 : patient.unless_learnt(0.7);
    suspicion.what = fmt::format("{} of the {} numbers of input '{}' are the same in every record",
                                 input.constant_columns, input.columns, input.name);
    suspicion.evidence = {{"constant_columns", static_cast<double>(input.constant_columns)},
                          {"columns", static_cast<double>(input.columns)}};
    suspicion.remedy =
        "look at how the data is made: the model cannot learn from what never changes";
    suspicion.option = "plimsoll check DATA";
    into.push_back(std::move(suspicion));
  }
}

}  // namespace

Rule constant_input_rule() {
  return {"constant_input",
          "data",
          {{"constant_input.share", 0.9, "of the numbers of a record that never change"}},
          look_for_constant_input};
}

}  // namespace plimsoll
