// What a file is that was given as a model but is not a model.
#pragma once

#include <string>

namespace plimsoll {

// " but a NumPy array": by its first bytes and its name; empty if that is not known.
std::string what_else_it_is(const std::string& path);

// True if the file or folder is a model by its first bytes and its parts. False, rather than an
// error, where it cannot be read.
bool looks_like_model(const std::string& path);

}  // namespace plimsoll
