#include "plimsoll/guards/doctor/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plimsoll/guards/doctor/rule.h"

namespace plimsoll {
namespace {

constexpr double kExplained = 0.8;  // of an effect, at most, by one cause
constexpr double kWarned = 0.5, kCertain = 0.75, kNoted = 0.1;

// Several suspicions of one cause are one, with the words of the strongest.
Suspicions joined(Suspicions all) {
  std::ranges::stable_sort(all, std::greater(), &Suspicion::strength);
  Suspicions joined;
  for (const Suspicion& one : all) {
    const auto same = std::ranges::find(joined, one.cause, &Suspicion::cause);
    if (same == joined.end())
      joined.push_back(one);
    else
      same->strength = 1 - (1 - same->strength) * (1 - one.strength);
  }
  return joined;
}

bool explains(const Suspicion& cause, const Suspicion& effect) {
  const auto known = std::ranges::find(known_causes(), cause.cause, &KnownCause::name);
  return known != known_causes().end() &&
         std::ranges::find(known->explains, effect.cause) != known->explains.end();
}

double confidence_of(const Suspicion& one, const Suspicions& all) {
  double confidence = one.strength;
  for (const Suspicion& other : all)
    if (explains(other, one)) confidence *= 1 - kExplained * other.strength;
  return confidence;
}

Finding::Severity severity_of(double confidence) {
  if (confidence >= kCertain) return Finding::Severity::error;
  return confidence >= kWarned ? Finding::Severity::warning : Finding::Severity::note;
}

Verdict verdict_of(const Diagnosis& diagnosis, const Symptoms& symptoms) {
  if (symptoms.has_failed) return Verdict::failed;
  const bool is_noticed = std::ranges::any_of(diagnosis.findings, [](const DiagnosedCause& it) {
    return it.severity != Finding::Severity::note;
  });
  return is_noticed ? Verdict::poor : Verdict::healthy;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  return verdict == Verdict::healthy ? "healthy" : verdict == Verdict::poor ? "poor" : "failed";
}

Finding finding_of(const DiagnosedCause& cause) {
  const std::string& where = !cause.layer.empty()    ? cause.layer
                             : !cause.record.empty() ? cause.record
                                                     : cause.line;
  return {.severity = cause.severity,
          .where = where.empty() ? cause.cause : where,
          .what = where.empty() ? cause.what : fmt::format("{}: {}", cause.cause, cause.what),
          .remedy = fmt::format("{}: {}", cause.remedy, cause.option)};
}

Diagnosis diagnose(const TrainingCase& of, const std::map<std::string, double>& thresholds) {
  const Limits limits(thresholds);
  const Symptoms symptoms = symptoms_of(of);
  const Patient patient{of, symptoms, limits};
  Suspicions suspicions;
  for (const Rule& rule : rules()) rule.look(patient, suspicions);
  suspicions = joined(std::move(suspicions));
  Diagnosis diagnosis{.skill = symptoms.skill};
  for (const Suspicion& it : suspicions) {
    const double confidence = confidence_of(it, suspicions);
    if (confidence < kNoted) continue;
    diagnosis.findings.push_back({std::string(it.cause), severity_of(confidence), confidence,
                                  it.layer, it.op, it.record, it.line, it.what, it.evidence,
                                  it.remedy, it.option});
  }
  std::ranges::stable_sort(diagnosis.findings, std::greater(), &DiagnosedCause::confidence);
  // Something must be the cause of a run that has failed.
  if (symptoms.has_failed && !diagnosis.findings.empty())
    diagnosis.findings.front().severity = Finding::Severity::error;
  diagnosis.verdict = verdict_of(diagnosis, symptoms);
  return diagnosis;
}

}  // namespace plimsoll
