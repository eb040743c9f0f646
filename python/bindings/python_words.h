// What the engine says, in the words of a Python program. Its messages name options of the command;
// all that reaches Python as text goes through here.
#pragma once

#include <string>

#include "plimsoll/base/finding.h"

namespace plimsoll::python {

// "… (--memory)" -> "… (memory=)", "--learning-rate 0.001" -> "learning_rate=0.001".
std::string in_python_words(std::string text);
Finding in_python_words(Finding finding);

}  // namespace plimsoll::python
