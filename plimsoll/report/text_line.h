// TextLine: a line of text in a fixed buffer, which knows its columns on a terminal. Nothing is
// allocated, but for names with characters beyond ASCII.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string_view>

namespace plimsoll {

class TextLine {
 public:
  TextLine(char* into, size_t size) : into_(into), size_(size) { into_[0] = '\0'; }

  // Cuts what does not fit into the buffer.
  template <class... Arguments>
  void add(const char* format, Arguments... arguments) {
    int wrote = 0;
    if constexpr (sizeof...(arguments) == 0)
      wrote = std::snprintf(into_ + used_, size_ - used_, "%s", format);
    else
      wrote = std::snprintf(into_ + used_, size_ - used_, format, arguments...);
    used_ = std::min(used_ + static_cast<size_t>(std::max(wrote, 0)), size_ - 1);
  }
  // A colour, which takes no column.
  void add_code(const char* code) {
    const size_t before = used_;
    add("%s", code);
    code_bytes_ += used_ - before;
  }
  void add_text(std::string_view text) { add("%.*s", static_cast<int>(text.size()), text.data()); }
  // A name of a file: characters that would steer the terminal are written out.
  void add_name(std::string_view name);
  void add_count(int64_t number);     // "5,120"
  void add_duration(double seconds);  // "1:02:05"
  void add_mebibytes(int64_t bytes);  // "76.4 MiB"
  void add_metric(double value);      // "0.4312", "1.200e-04"

  std::string_view text() const { return {into_, used_}; }
  size_t columns() const;

 private:
  char* into_;
  size_t size_;
  size_t used_ = 0, code_bytes_ = 0;
};

}  // namespace plimsoll
