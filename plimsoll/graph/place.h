// Place: the line of a program that made a tensor. Errors and reports of memory name it.
#pragma once

#include <string>
#include <string_view>

namespace plimsoll {

struct Place {
  const char* file = "";  // never freed: a literal, or the result of Place::at
  unsigned line = 0;

  // The caller's line. As a default argument, the line of the call that leaves it out.
  static constexpr Place here(const char* file = __builtin_FILE(),
                              unsigned line = __builtin_LINE()) {
    return {file, line};
  }
  // A line of a program in another language. Copies the name of the file once and keeps it for
  // the life of the process.
  static Place at(std::string_view file, unsigned line);

  // "main.cc:12": the file without its folders.
  std::string to_string() const;
  // False for a line of the library, and where no line is known.
  bool is_in_program() const;
};

}  // namespace plimsoll
