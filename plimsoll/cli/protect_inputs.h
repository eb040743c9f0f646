// What a command reads is not replaced by what it writes.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/cli/data_arguments.h"

namespace plimsoll::cli {

struct Input {
  std::string what;  // "the model"
  std::string path;
  bool is_data = false;  // all that is in it would be read
};
using Inputs = std::vector<Input>;

// Every file of DATA, and those that its options name. What cannot be found is left out: reading
// it will say so.
Inputs inputs_of(const DataArguments& arguments);
Inputs files_of_data(const std::string& what, const std::string& path);

// WrongUsage where the file `out` is one of the inputs, by whatever links.
void refuse_to_replace(const char* command, const std::string& out, const Inputs& inputs);
// WrongUsage where the folder `out` is or holds one of them, or is inside a folder of data.
void refuse_to_replace_folder(const char* command, const std::string& out, const Inputs& inputs);

}  // namespace plimsoll::cli
