// Records that a training cannot use, and numbers that are not finite.
#include <fmt/format.h>

#include "plimsoll/guards/doctor/loss_facts.h"
#include "plimsoll/guards/doctor/rule_list.h"

namespace plimsoll {
namespace {

// Two classes that are not numbered 0 and 1: 1 and 2, 0 and 255, -1 and 1.
void look_for_two_labels(const Patient& patient, Suspicions& into) {
  const TargetFacts* target = patient.target();
  const OutputFacts* output = patient.output();
  if (target == nullptr || output == nullptr || output->units != 1) return;
  if (!is_crossentropy_of(output->loss, LossTargets::Kind::probabilities) || target->width != 1 ||
      !target->is_whole)
    return;
  if (target->class_counts.size() != 2 || (target->least == 0 && target->largest == 1)) return;
  Suspicion suspicion{.cause = "labels_out_of_range", .strength = 0.97};
  suspicion.what =
      fmt::format("the two classes are numbered {} and {}, and the loss {} takes 0 and 1",
                  short_number(target->least), short_number(target->largest), output->loss);
  suspicion.evidence = {{"least_label", target->least}, {"largest_label", target->largest}};
  suspicion.remedy = "number the two classes 0 and 1";
  suspicion.option = fmt::format("y = (y == {})", short_number(target->largest));
  into.push_back(std::move(suspicion));
}

// Of records that were read from the data.
void describe_first_bad(const DataFacts& data, Suspicion& into) {
  into.what = data.first_bad;
  into.record = data.first_bad_record;
  into.evidence = {{"bad_records", static_cast<double>(data.bad_records)},
                   {"looked_at", static_cast<double>(data.looked_at)}};
}

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
  describe_first_bad(*patient.of.data, suspicion);
  suspicion.remedy = "number the classes from 0 on, or give the output more units";
  suspicion.option = "plimsoll check DATA --model MODEL";
  into.push_back(std::move(suspicion));
}

// Where an operation fails for most records, it is not they that are bad.
bool are_most(const NotFiniteStory& story) {
  constexpr int64_t kFewest = 4;  // of a batch, to speak of most
  return story.batch_records >= kFewest && 2 * std::ssize(story.records) > story.batch_records;
}

// Records whose numbers are finite, and of which an operation made numbers that are not.
void look_for_bad_in_run(const RunStory& run, Suspicions& into) {
  if (!run.not_finite || run.not_finite->records.empty() || are_most(*run.not_finite)) return;
  Suspicion suspicion{.cause = "bad_record", .strength = 0.92};
  suspicion.remedy = "leave such records out with the step that they spoil, or repair them";
  suspicion.option = "--on-bad-step skip";
  suspicion.what = run.not_finite->what;
  suspicion.record = run.not_finite->records.front();
  suspicion.op = run.not_finite->op;
  suspicion.layer = run.not_finite->layer;
  suspicion.line = run.not_finite->line;
  suspicion.evidence = {{"records", static_cast<double>(run.not_finite->records.size())}};
  into.push_back(std::move(suspicion));
}

void look_for_bad(const Patient& patient, Suspicions& into) {
  const RunStory* run = patient.run();
  if (run != nullptr) look_for_bad_in_run(*run, into);
  if (!patient.of.data || patient.of.data->bad_records == 0 ||
      patient.of.data->first_bad_reason == "label")
    return;
  // What was left out of a run that went well does not spoil it.
  const bool are_left_out = run != nullptr && run->quarantined > 0 &&
                            !patient.symptoms.has_failed && run->status == "done";
  Suspicion suspicion{.cause = "bad_record", .strength = are_left_out ? 0.4 : 0.9};
  suspicion.remedy = "leave such records out, or repair them";
  suspicion.option = "--on-bad-record skip";
  describe_first_bad(*patient.of.data, suspicion);
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
    suspicion.line = run->not_finite->line;
    suspicion.evidence = {{"epoch", static_cast<double>(run->not_finite->epoch)},
                          {"batch", static_cast<double>(run->not_finite->batch)}};
    // Before the first update nothing but the model and its data can be the cause.
    const bool is_first = run->not_finite->epoch <= 1 && run->not_finite->batch <= 1;
    if (is_first || run->not_finite->kind == "weight") suspicion.strength = 0.85;
  }
  if (run->not_finite && run->not_finite->is_kept) {
    suspicion.remedy = "look at the step, operation by operation";
    suspicion.option = run->is_of_command ? "plimsoll replay RUN" : "model.replay(run)";
  } else {
    suspicion.remedy =
        "look at the numbers that the operation reads; a run that has a folder keeps such a step "
        "for a replay";
  }
  into.push_back(std::move(suspicion));
}

}  // namespace

Rule labels_out_of_range_rule() {
  return {"labels_out_of_range", "model, data", {}, look_for_labels, look_for_two_labels};
}

Rule bad_record_rule() {
  return {"bad_record", "data, run", {}, look_for_bad};
}

Rule not_finite_op_rule() {
  return {"not_finite_op", "run", {}, look_for_operation};
}

}  // namespace plimsoll
