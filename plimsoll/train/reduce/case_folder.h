// The folder of a reduced case, which needs nothing else to fail again:
//
//   model.keras       the model, compiled, with the weights that it begins with
//   data.npz          the records as the model reads them
//   case.json         the finding, the sizes, the names of the records and the commands
//   run_plimsoll.sh   the commands
//   run_keras.py      the same with Keras
//   README.md         all of it in words
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plimsoll/train/reduce/reduce.h"

namespace plimsoll {

// The commands that show the failure, in the case's folder, each as the arguments of plimsoll.
std::vector<std::vector<std::string>> commands_of(const ReducedCase& found);

// Called with the folder before it has its name; throws where the case does not fail there.
using CaseCheck = std::function<void(const std::string& folder, const ReducedCase& found)>;

// Writes the folder, reads it back, and makes sure that what was read fails in the same way; `more`
// may make sure of more. Then the folder gets its name. InvalidArgument if there is something of
// that name, or where the case does not fail any more: then nothing is left behind.
void write_case(const ReducedCase& found, const std::string& folder, const CaseCheck& more = {});

// The file case.json.
std::string case_json(const ReducedCase& found);
// The file README.md.
std::string case_readme(const ReducedCase& found);
// The file run_keras.py.
std::string case_keras_script(const ReducedCase& found);

}  // namespace plimsoll
