// One thing that a check noticed about the data, the model, the run or the machine.
#pragma once

#include <string>
#include <string_view>

namespace plimsoll {

struct Finding {
  enum class Severity { note, warning, error };

  Severity severity = Severity::note;
  std::string where = {};   // the op, layer, file or record that it is about
  std::string what = {};    // what was expected and what was found
  std::string remedy = {};  // what to do, naming the option that does it; may be empty

  bool operator==(const Finding&) const = default;
};

std::string_view to_string(Finding::Severity severity);

// Always a single line: "error: conv2d_3: input has 1 channel, kernel expects 3 (pass --color
// rgb)". Line breaks and other control characters in a field are written out, as printable() does.
std::string to_string(const Finding& finding);

}  // namespace plimsoll
