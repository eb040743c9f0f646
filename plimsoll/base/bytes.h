// Sizes of memory as people write and read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll {

// Reads "4096", "512MiB", "1.5 GiB", "2G" or "200MB": a decimal number, then B, kB, MB, GB, TB
// (powers of 1000), KiB, MiB, GiB, TiB or K, M, G, T (powers of 1024), in upper or lower case. A
// fraction of a byte is cut off. Throws InvalidArgument for anything else and for what an int64_t
// cannot hold.
int64_t parse_bytes(std::string_view text);

// Writes one digit after the point in the largest binary unit that leaves at least 1: "193.4 MiB".
// Below 1024 it writes whole bytes: "17 B".
std::string format_bytes(int64_t bytes);

}  // namespace plimsoll
