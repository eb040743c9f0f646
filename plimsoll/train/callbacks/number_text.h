// A number as Python writes it: the fewest digits that read back as the same.
#pragma once

#include <string>

namespace plimsoll {

// "0.25", "100.0", "1e-05", "nan", "-inf"
std::string number_text(double value);

}  // namespace plimsoll
