#include "plimsoll/nn/preprocessing/vocabulary_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

// How many bytes the end of a line takes that begins here; 0 if none does.
size_t line_end_bytes(std::string_view text) {
  if (text.starts_with("\r\n")) return 2;
  const char c = text[0];
  if ((c >= '\n' && c <= '\r') || (c >= '\x1c' && c <= '\x1e')) return 1;
  if (text.starts_with("\xc2\x85")) return 2;
  return text.starts_with("\xe2\x80\xa8") || text.starts_with("\xe2\x80\xa9") ? 3 : 0;
}

}  // namespace

std::vector<std::string_view> vocabulary_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  size_t begin = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = line_end_bytes(text.substr(at));
    if (end > 0) {
      lines.push_back(text.substr(begin, at - begin));
      begin = at + end;
    }
    at += std::max<size_t>(end, 1);
  }
  if (begin < text.size()) lines.push_back(text.substr(begin));
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

template <>
std::string word_of_line(std::string_view line, const std::string&) {
  return std::string(line);
}

template <>
int64_t word_of_line(std::string_view line, const std::string& owner) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (error != std::errc() || end != line.data() + line.size())
    throw InvalidArgument(
        fmt::format("{}: the vocabulary must be integers, found '{:.40}'", owner, line));
  return number;
}

std::string vocabulary_file(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, "\n"));
}

std::string vocabulary_file(const std::vector<int64_t>& words) {
  return fmt::format("{}", fmt::join(words, "\n"));
}

bool fits_vocabulary_file(const std::vector<std::string>& words) {
  if (!words.empty() && words.back().empty()) return false;
  return std::ranges::all_of(words, [](std::string_view word) {
    for (size_t i = 0; i < word.size(); ++i)
      if (line_end_bytes(word.substr(i)) > 0) return false;
    return true;
  });
}

bool fits_vocabulary_file(const std::vector<int64_t>&) {
  return true;
}

}  // namespace plimsoll
