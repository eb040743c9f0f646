#include "plimsoll/formats/bytes/standard_input.h"

#include <fmt/format.h>

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/formats/bytes/unnamed_file.h"

namespace plimsoll {
namespace {

// Other programs need some of the disk too.
constexpr int64_t kLeftFreeBytes = int64_t{64} << 20;

int64_t room_in(const std::string& folder) {
  std::error_code error;
  const auto space = std::filesystem::space(folder, error);
  if (error) throw IoError(folder + ": cannot be written: " + error.message());
  return static_cast<int64_t>(space.available) - kLeftFreeBytes;
}

ByteSourcePtr spool() {
  if (isatty(STDIN_FILENO) != 0)
    throw IoError("-: is standard input, which is a terminal; send data to it: plimsoll … <FILE");
  const std::string folder = temporary_folder();
  const int64_t room = room_in(folder);
  UnnamedFile file(folder, kStandardInput);
  std::vector<std::byte> piece(1 << 18);
  int64_t size = 0;
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw IoError(fmt::format("-: cannot be read: {}", std::strerror(errno)));
    if (count == 0) return std::move(file).source();
    size += count;
    if (size > room)
      throw IoError(fmt::format(
          "-: standard input is larger than the room in {} ({}); write it to a file, and name that",
          folder, format_bytes(room)));
    file.append(std::span(piece).first(static_cast<size_t>(count)));
  }
}

}  // namespace

ByteSourcePtr standard_input() {
  static const ByteSourcePtr input = spool();
  return input;
}

}  // namespace plimsoll
