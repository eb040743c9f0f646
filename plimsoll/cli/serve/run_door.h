// RunDoor: opens the folder of a run by its name below a folder, and nothing outside of it.
#pragma once

#include <optional>
#include <string>

#include "plimsoll/base/file_descriptor.h"

namespace plimsoll::serve {

class RunDoor {
 public:
  // None where the name is not that of a folder below `top`: it is absolute, has "..", "." beside
  // other parts or characters that no name has, leads through a link, is hidden, or has no
  // run.json.
  // "." is `top` itself.
  static std::optional<RunDoor> open(const std::string& top, const std::string& name);

  // The folder that was opened, whatever has its name by now.
  std::string path() const;

 private:
  explicit RunDoor(FileDescriptor folder) : folder_(std::move(folder)) {}

  FileDescriptor folder_;
};

}  // namespace plimsoll::serve
