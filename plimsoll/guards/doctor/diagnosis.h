// Diagnosis: the causes of a training that fails or learns badly, the most likely first.
//
// How the causes are ranked. Each rule says, from 0 to 1, how strongly it suspects its cause.
//   - Two suspicions of the same cause add up: together they are 1 - (1 - a)(1 - b).
//   - A cause that is found explains others that it brings about: a learning rate that is too high
//     makes gradients explode and units die. Their strength s falls to s (1 - 0.8 r), where r is
//     that of the cause which explains them (causes.cc has the table).
//     Of causes that explain each other, only the stronger explains the weaker (ranking.h).
//   - What a run has learnt speaks against most causes (Patient::unless_learnt()).
// The result is the confidence. Worked example: units are dead (0.9), the learning rate is 100
// times the usual (0.95). Dead units are explained: 0.9 (1 - 0.8 * 0.95) = 0.22, a note; the
// learning rate comes first.
//
// Something must be the cause of a run that has failed, and of one that has learnt next to nothing
// of what can be learnt: there the first cause is more than a note, however weak it is.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plimsoll/base/finding.h"
#include "plimsoll/guards/doctor/case.h"
#include "plimsoll/guards/doctor/causes.h"

namespace plimsoll {

struct DiagnosedCause {
  std::string cause;  // one of known_causes()
  Finding::Severity severity = Finding::Severity::note;
  double confidence = 0;
  // Empty where it is in no particular one; a line is one of a program: "main.py:12".
  std::string layer = {}, op = {}, record = {}, line = {};
  std::string what = {};  // the evidence in words
  std::vector<std::pair<std::string, double>> evidence = {};
  std::string remedy = {};
  // Of the command, or a line of Python, that applies it; empty where there is none.
  std::string option = {};
};

enum class Verdict {
  healthy,  // no finding is more than a note
  poor,     // it learns badly, or will
  failed,   // it ended with numbers that are not finite, or cannot begin
};
std::string_view to_string(Verdict verdict);

struct Diagnosis {
  Verdict verdict = Verdict::healthy;
  std::vector<DiagnosedCause> findings = {};  // the most likely first
  // How much of the way from a constant answer to a perfect one was made; none: it is not known.
  std::optional<double> skill = {};
};

// `thresholds` are changed ones, by name. InvalidArgument where a name is not known.
Diagnosis diagnose(const TrainingCase& of, const std::map<std::string, double>& thresholds = {});

// The remedy, and the option that applies it if there is one.
std::string advice_of(const DiagnosedCause& cause);
// The same in the words that all findings have.
Finding finding_of(const DiagnosedCause& cause);

}  // namespace plimsoll
