// The words with which this process was started.
#pragma once

#include <string>
#include <vector>

namespace plimsoll {

// The program and its arguments, at most 64 of at most 400 bytes each; empty where the system does
// not say.
std::vector<std::string> program_words();

}  // namespace plimsoll
