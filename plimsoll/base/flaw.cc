#include "plimsoll/base/flaw.h"

#include <array>

namespace plimsoll {

std::string_view to_string(Flaw flaw) {
  constexpr std::array<std::string_view, 14> kWords = {
      "unreadable", "empty",   "zeros",        "truncated",  "damaged", "not_an_image", "too_large",
      "shape",      "missing", "not_a_number", "not_finite", "label",   "out_of_range", "invalid"};
  return kWords[static_cast<size_t>(flaw)];
}

Flaw flaw_of(const std::exception& error) {
  if (const auto* bad = dynamic_cast<const FlawedRecord*>(&error)) return bad->flaw();
  if (dynamic_cast<const IoError*>(&error) != nullptr) return Flaw::unreadable;
  if (dynamic_cast<const CorruptFile*>(&error) != nullptr) return Flaw::damaged;
  if (dynamic_cast<const NotFinite*>(&error) != nullptr) return Flaw::not_finite;
  return Flaw::invalid;
}

}  // namespace plimsoll
