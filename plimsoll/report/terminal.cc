#include "plimsoll/report/terminal.h"

#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace plimsoll {
namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

bool is_locale_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const char* const value = std::getenv(name); value != nullptr && *value != '\0')
      return strcasestr(value, "utf-8") != nullptr || strcasestr(value, "utf8") != nullptr;
  return false;
}

}  // namespace

TerminalStyle terminal_style(std::FILE* file) {
  const bool is_plain = variable("TERM") == "dumb" || !variable("NO_COLOR").empty();
  if (is_plain || isatty(fileno(file)) == 0) return {};
  return {.is_live = true, .is_utf8 = is_locale_utf8(), .has_colours = !variable("TERM").empty()};
}

size_t terminal_columns(std::FILE* file) {
  return terminal_columns(file, {});
}

size_t terminal_columns(std::FILE* file, const TerminalStyle& style) {
  constexpr size_t kUsual = 80;
  const int number = style.terminal >= 0 ? style.terminal : fileno(file);
  winsize window = {};
  if (ioctl(number, TIOCGWINSZ, &window) == 0 && window.ws_col > 0) return window.ws_col;
  const char* text = std::getenv("COLUMNS");
  size_t columns = 0;
  if (text != nullptr) std::from_chars(text, text + std::strlen(text), columns);
  return columns > 0 ? columns : kUsual;
}

}  // namespace plimsoll
