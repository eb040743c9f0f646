#include "plimsoll/train/steps/per_output.h"

namespace plimsoll {

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace plimsoll
