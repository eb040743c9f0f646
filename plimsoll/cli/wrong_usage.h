// A command that was called in a way that it does not understand: exit code 2.
#pragma once

#include "plimsoll/base/error.h"

namespace plimsoll::cli {

class WrongUsage : public Error {
 public:
  using Error::Error;
};

}  // namespace plimsoll::cli
