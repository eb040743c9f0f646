// What a file that text is written to can show.
#pragma once

#include <cstddef>
#include <cstdio>

namespace plimsoll {

struct TerminalStyle {
  bool is_live = false;      // a line can be drawn again in its place
  bool is_utf8 = false;      // else bars are drawn with plain ASCII
  bool has_colours = false;  // by ANSI sequences
  int terminal = -1;         // the file number that knows the columns; -1: that of the file
};

// Live is a terminal, unless NO_COLOR is set or TERM is "dumb": both ask for plain lines, as people
// do who have the screen read to them. UTF-8 is what LC_ALL, LC_CTYPE or LANG says.
TerminalStyle terminal_style(std::FILE* file);

// The columns of the terminal that the file is, now: as it says, else as COLUMNS says, else 80.
size_t terminal_columns(std::FILE* file);
size_t terminal_columns(std::FILE* file, const TerminalStyle& style);

}  // namespace plimsoll
