#include "plimsoll/formats/bytes/forward_reader.h"

#include <algorithm>

namespace plimsoll {

std::span<const std::byte> ForwardReader::read(int64_t offset, int64_t size) {
  constexpr int64_t kWindowBytes = 256 << 10;
  const int64_t window_end = window_begin_ + static_cast<int64_t>(window_.size());
  if (offset < window_begin_ || offset + size > window_end) {
    const bool is_far = offset - last_offset_ > kWindowBytes / 16;
    const int64_t wanted = std::max(size, is_far ? 0 : kWindowBytes);
    window_.resize(static_cast<size_t>(std::min(wanted, source_.size() - offset)));
    window_begin_ = offset;
    source_.read_at(offset, window_);
  }
  last_offset_ = offset;
  return std::span(window_).subspan(static_cast<size_t>(offset - window_begin_),
                                    static_cast<size_t>(size));
}

}  // namespace plimsoll
