// Every kind of data, once.
#pragma once

#include <span>
#include <string>

#include "plimsoll/data/kinds/data_kind.h"

namespace plimsoll {

// In the order in which they are tried.
std::span<const DataKind* const> data_kinds();

// ".csv files, .tar files or folders of images": all of them, for messages and help.
std::string kinds_text(const char* last_word = "or");
// Those that take the option: ".tar files and folders of images".
std::string kinds_taking(DataOption option);

}  // namespace plimsoll
