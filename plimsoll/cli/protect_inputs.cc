#include "plimsoll/cli/protect_inputs.h"

#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/base/same_file.h"
#include "plimsoll/cli/wrong_usage.h"
#include "plimsoll/data/sources/file_set.h"

namespace plimsoll::cli {

Inputs files_of_data(const std::string& what, const std::string& path) {
  Inputs inputs = {{what, path, true}};
  try {
    for (const std::string& file : named_files(path)) inputs.push_back({what, file});
  } catch (const Error&) {
    return inputs;
  }
  return inputs;
}

Inputs inputs_of(const DataArguments& arguments) {
  Inputs inputs = files_of_data("the data", arguments.path);
  inputs.push_back({"the list of classes", arguments.classes});
  inputs.push_back({"the list of features", arguments.features});
  return inputs;
}

void refuse_to_replace(const char* command, const std::string& out, const Inputs& inputs) {
  for (const Input& input : inputs)
    if (is_same_file(out, input.path))
      throw WrongUsage(fmt::format("{}: {} is {} that is read; name another file to write", command,
                                   out, input.what));
}

void refuse_to_replace_folder(const char* command, const std::string& out, const Inputs& inputs) {
  for (const Input& input : inputs) {
    if (is_inside(input.path, out))
      throw WrongUsage(fmt::format("{}: --out {} holds {} that is read, {}; name another folder",
                                   command, out, input.what, input.path));
    if (input.is_data && would_be_inside(out, input.path))
      throw WrongUsage(
          fmt::format("{}: --out {} is inside {} that is read, {}, and would be a part of it the "
                      "next time; name another folder",
                      command, out, input.what, input.path));
  }
}

}  // namespace plimsoll::cli
