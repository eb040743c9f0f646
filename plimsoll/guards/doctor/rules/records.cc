// Records that a training cannot use, and numbers that are not finite.
#include <fmt/format.h>

#include "plimsoll/guards/doctor/rule_list.h"

namespace plimsoll {
namespace {

void look_for_labels(const Patient& patient, Suspicions& into) {
  if (!patient.of.data || patient.of.data->first_bad_reason != "label") return;
  const TargetFacts* target = patient.target();
  const OutputFacts* output = patient.output();
  // More classes than units, and not by a slip in a few records: the units are too few.
  const auto bad = static_cast<double>(patient.of.data->bad_records);
  const auto good = static_cast<double>(patient.of.data->looked_at);
  const bool are_many = target != nullptr && output != nullptr && bad > 0.05 * (bad + good) &&
                        std::ssize(target->class_counts) > std::max<int64_t>(2, output->units);
  Suspicion suspicion{.cause = "labels_out_of_range", .strength = are_many ? 0.2 : 0.97};
  suspicion.what = patient.of.data->first_bad;
  suspicion.evidence = {{"bad_records", static_cast<double>(patient.of.data->bad_records)},
                        {"looked_at", static_cast<double>(patient.of.data->looked_at)}};
  suspicion.remedy = "number the classes from 0 on, or give the output more units";
  suspicion.option = "plimsoll check DATA --model MODEL";
  into.push_back(std::move(suspicion));
}

void look_for_bad(const Patient& patient, Suspicions& into) {
  Suspicion suspicion{.cause = "bad_record"};
  suspicion.remedy = "leave such records out, or repair them";
  suspicion.option = "--on-bad-record skip";
  const RunStory* run = patient.run();
  if (run != nullptr && run->not_finite && !run->not_finite->records.empty()) {
    suspicion.strength = 0.92;
    suspicion.what = run->not_finite->what;
    suspicion.record = run->not_finite->records.front();
    suspicion.op = run->not_finite->op;
    suspicion.layer = run->not_finite->layer;
    suspicion.evidence = {{"records", static_cast<double>(run->not_finite->records.size())}};
    into.push_back(suspicion);
  }
  if (!patient.of.data || patient.of.data->bad_records == 0 ||
      patient.of.data->first_bad_reason == "label")
    return;
  suspicion.strength = 0.9;
  suspicion.what = patient.of.data->first_bad;
  suspicion.evidence = {{"bad_records", static_cast<double>(patient.of.data->bad_records)},
                        {"looked_at", static_cast<double>(patient.of.data->looked_at)}};
  into.push_back(std::move(suspicion));
}

void look_for_operation(const Patient& patient, Suspicions& into) {
  const RunStory* run = patient.run();
  if (run == nullptr || !patient.symptoms.has_failed) return;
  Suspicion suspicion{.cause = "not_finite_op", .strength = 0.55};
  suspicion.what = "the loss is not finite";
  if (run->not_finite) {
    suspicion.what = run->not_finite->what;
    suspicion.op = run->not_finite->op;
    suspicion.layer = run->not_finite->layer;
    suspicion.evidence = {{"epoch", static_cast<double>(run->not_finite->epoch)},
                          {"batch", static_cast<double>(run->not_finite->batch)}};
    // Before the first update nothing but the model and its data can be the cause.
    const bool is_first = run->not_finite->epoch <= 1 && run->not_finite->batch <= 1;
    if (is_first || run->not_finite->kind == "weight") suspicion.strength = 0.85;
  }
  suspicion.remedy = "look at the step, operation by operation";
  suspicion.option = "plimsoll replay RUN";
  into.push_back(std::move(suspicion));
}

}  // namespace

Rule labels_out_of_range_rule() {
  return {"labels_out_of_range", "model, data", {}, look_for_labels};
}

Rule bad_record_rule() {
  return {"bad_record", "data, run", {}, look_for_bad};
}

Rule not_finite_op_rule() {
  return {"not_finite_op", "run", {}, look_for_operation};
}

}  // namespace plimsoll
