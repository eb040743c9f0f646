#include "plimsoll/guards/doctor/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plimsoll/guards/doctor/case_of_output.h"
#include "plimsoll/guards/doctor/ranking.h"
#include "plimsoll/guards/doctor/rule.h"

namespace plimsoll {
namespace {

constexpr double kWarned = 0.5, kCertain = 0.75, kNoted = 0.1;

Finding::Severity severity_of(double confidence) {
  if (confidence >= kCertain) return Finding::Severity::error;
  return confidence >= kWarned ? Finding::Severity::warning : Finding::Severity::note;
}

void raise_first(const TrainingCase& of, const Symptoms& symptoms, Diagnosis& diagnosis) {
  constexpr double kNearlyNothing = 0.7;  // of the badness
  // What makes a run slow or large does not keep it from learning.
  const auto first = std::ranges::find_if(
      diagnosis.findings, [](const DiagnosedCause& it) { return !is_of_machine(it.cause); });
  if (first == diagnosis.findings.end()) return;
  if (symptoms.has_failed)
    first->severity = Finding::Severity::error;
  else if (of.run && symptoms.skill && symptoms.badness >= kNearlyNothing &&
           first->severity == Finding::Severity::note)
    first->severity = Finding::Severity::warning;
}

// Options of train are for all outputs.
Suspicion of_output(Suspicion suspicion, const OutputFacts& output) {
  suspicion.what = fmt::format("output '{}': {}", output.name, suspicion.what);
  if (suspicion.layer.empty()) suspicion.layer = output.layer;
  if (suspicion.option.starts_with("--")) suspicion.option.clear();
  return suspicion;
}

// One output of several.
struct OneOutput {
  TrainingCase of;
  Symptoms symptoms;
};

// Of several outputs, those that are trained; the training itself is that of a single one.
std::vector<OneOutput> several_outputs(const TrainingCase& of, const Symptoms& symptoms) {
  std::vector<OneOutput> found;
  const size_t count = of.model.outputs.size();
  for (size_t i = 0; count > 1 && i < count; ++i) {
    if (of.model.outputs[i].loss.empty()) continue;
    TrainingCase one = case_of_output(of, i);
    const Symptoms own = symptoms_of_output(one, symptoms);
    found.push_back({std::move(one), own});
  }
  return found;
}

// Weak suspicions of many outputs do not add up to a strong one: the strongest counts.
void look_at_each(const Rule& rule, const std::vector<OneOutput>& outputs, const Limits& limits,
                  Suspicions& into) {
  Suspicion worst;
  for (const OneOutput& one : outputs) {
    Suspicions found;
    rule.look_at_output(Patient{one.of, one.symptoms, limits}, found);
    for (Suspicion& it : joined(std::move(found)))
      if (it.strength > worst.strength) worst = of_output(std::move(it), one.of.model.outputs[0]);
  }
  if (worst.strength > 0) into.push_back(std::move(worst));
}

Suspicions suspicions_of(const Patient& patient) {
  const std::vector<OneOutput> several = several_outputs(patient.of, patient.symptoms);
  Suspicions found;
  for (const Rule& rule : rules()) {
    if (rule.look_at_output != nullptr && patient.model().outputs.size() > 1)
      look_at_each(rule, several, patient.limits, found);
    else if (rule.look_at_output != nullptr)
      rule.look_at_output(patient, found);
    if (rule.look != nullptr) rule.look(patient, found);
  }
  return joined(std::move(found));
}

Verdict verdict_of(const TrainingCase& of, const Diagnosis& diagnosis, const Symptoms& symptoms) {
  if (symptoms.has_failed || (of.run && of.run->status == "failed")) return Verdict::failed;
  const bool is_noticed = std::ranges::any_of(diagnosis.findings, [](const DiagnosedCause& it) {
    return it.severity != Finding::Severity::note;
  });
  return is_noticed ? Verdict::poor : Verdict::healthy;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  return verdict == Verdict::healthy ? "healthy" : verdict == Verdict::poor ? "poor" : "failed";
}

std::string advice_of(const DiagnosedCause& cause) {
  return cause.option.empty() ? cause.remedy : fmt::format("{}: {}", cause.remedy, cause.option);
}

Finding finding_of(const DiagnosedCause& cause) {
  const std::string& where = !cause.layer.empty()    ? cause.layer
                             : !cause.record.empty() ? cause.record
                                                     : cause.line;
  // What is wrong with a record begins with its name.
  const std::string lead = where + ": ";
  const std::string what =
      cause.what.starts_with(lead) ? cause.what.substr(lead.size()) : cause.what;
  return {.severity = cause.severity,
          .where = where.empty() ? cause.cause : where,
          .what = where.empty() ? what : fmt::format("{}: {}", cause.cause, what),
          .remedy = advice_of(cause)};
}

Diagnosis diagnose(const TrainingCase& of, const std::map<std::string, double>& thresholds) {
  const Limits limits(thresholds);
  const Symptoms symptoms = symptoms_of(of);
  const Suspicions suspicions = suspicions_of(Patient{of, symptoms, limits});
  Diagnosis diagnosis{.skill = symptoms.skill};
  const std::vector<double> found = confidences(suspicions);
  for (size_t i = 0; i < suspicions.size(); ++i) {
    const Suspicion& it = suspicions[i];
    const double confidence = found[i];
    if (confidence < kNoted) continue;
    diagnosis.findings.push_back({std::string(it.cause), severity_of(confidence), confidence,
                                  it.layer, it.op, it.record, it.line, it.what, it.evidence,
                                  it.remedy, it.option});
  }
  std::ranges::stable_sort(diagnosis.findings, std::greater(), &DiagnosedCause::confidence);
  raise_first(of, symptoms, diagnosis);
  diagnosis.verdict = verdict_of(of, diagnosis, symptoms);
  return diagnosis;
}

}  // namespace plimsoll
