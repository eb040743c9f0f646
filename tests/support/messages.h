// What an action complains about.
#pragma once

#include <string>

#include "plimsoll/base/error.h"

namespace plimsoll::testing {

// The message of the plimsoll::Error that `action` throws; "no error" where it throws none.
template <class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace plimsoll::testing
