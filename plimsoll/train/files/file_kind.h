// What a file is, by its first bytes, whatever it is called.
#pragma once

#include <string>

namespace plimsoll {

enum class FileKind { zip, hdf5, safetensors, json, unknown };

// IoError if it cannot be read.
FileKind kind_of_file(const std::string& path);

}  // namespace plimsoll
