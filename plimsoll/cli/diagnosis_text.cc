#include "plimsoll/cli/diagnosis_text.h"

#include <fmt/format.h>

namespace plimsoll::cli {

std::string verdict_text(const Diagnosis& diagnosis) {
  std::string text(to_string(diagnosis.verdict));
  if (diagnosis.skill)
    text += fmt::format(": {:.0f}% of the way from a constant answer to a perfect one was made",
                        100 * *diagnosis.skill);
  return text;
}

std::string text_of(const Diagnosis& diagnosis) {
  std::string text = verdict_text(diagnosis) + "\n";
  for (const DiagnosedCause& it : diagnosis.findings)
    text += fmt::format("\n{} {} ({:.0f}%)\n  {}\n  {}\n", to_string(it.severity), it.cause,
                        100 * it.confidence, it.what, advice_of(it));
  return text;
}

}  // namespace plimsoll::cli
