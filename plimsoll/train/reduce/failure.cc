#include "plimsoll/train/reduce/failure.h"

#include "plimsoll/base/flaw.h"
#include "plimsoll/train/steps/bad_batch.h"

namespace plimsoll {

std::string_view to_string(Failure::Kind kind) {
  switch (kind) {
    case Failure::Kind::bad_record:
      return "bad_record";
    case Failure::Kind::not_finite:
      return "not_finite";
    case Failure::Kind::diagnosis:
      break;
  }
  return "diagnosis";
}

bool fails_alike(const Failure& one, const Failure& other) {
  return one.kind == other.kind && one.cause == other.cause;
}

Failure failure_of_record(const std::exception& error) {
  return {.kind = Failure::Kind::bad_record,
          .cause = std::string(to_string(flaw_of(error))),
          .what = error.what()};
}

Failure failure_of_step(const BadBatch& bad) {
  Failure failure{.kind = Failure::Kind::not_finite,
                  // A smaller training may begin where the weight is bad already.
                  .cause = bad.first.kind == FirstBad::Kind::update ? "weight" : bad.first.op,
                  .what = to_string(bad.first),
                  .layer = bad.first.layer};
  if (!bad.first.gradient_of.empty())
    failure.cause += ", in the gradient of " + bad.first.gradient_of;
  return failure;
}

std::optional<Failure> failure_of(const Diagnosis& diagnosis) {
  if (diagnosis.findings.empty()) return std::nullopt;
  const DiagnosedCause& first = diagnosis.findings.front();
  const bool is_machine = first.cause == "memory_growth" || first.cause == "data_bound";
  if (first.severity == Finding::Severity::note || is_machine) return std::nullopt;
  return Failure{.kind = Failure::Kind::diagnosis,
                 .cause = first.cause,
                 .what = first.what,
                 .layer = first.layer};
}

}  // namespace plimsoll
