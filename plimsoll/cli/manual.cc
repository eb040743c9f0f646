// plimsoll manual: the manual page plimsoll(1), written from the definitions of the commands.
#include <fmt/format.h>

#include <cstdio>

#include "plimsoll/cli/describe_command.h"
#include "plimsoll/cli/parse.h"

namespace plimsoll::cli {
namespace {

void print_head() {
  fmt::print(
      ".TH PLIMSOLL 1 \"\" \"plimsoll {}\" \"User Commands\"\n"
      ".SH NAME\nplimsoll \\- train Keras models in a given amount of memory\n"
      ".SH SYNOPSIS\n\\fBplimsoll\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n"
      ".SH DESCRIPTION\n{}.SH COMMANDS\n",
      PLIMSOLL_VERSION, groff_paragraphs(kPurpose));
}

void print_tail() {
  fmt::print(".SH EXIT STATUS\n");
  for (const ExitMeaning& exit : exit_meanings())
    fmt::print(".TP\n\\fB{}\\fR\n{}\n", exit.code, groff_text(exit.meaning));
  fmt::print(
      ".SH ENVIRONMENT\n"
      ".TP\n\\fBTMPDIR\\fR\nThe folder of temporary files (/var/tmp if it is not set).\n"
      ".TP\n\\fBXDG_CACHE_HOME\\fR\nThe measured speed of the machine is kept in its folder "
      "plimsoll (in ~/.cache/plimsoll if it is not set).\n");
}

}  // namespace

int manual(Arguments arguments) {
  CLI::App app("Prints the manual page, for man -l.", "plimsoll manual");
  app.footer("Example:\n\n  plimsoll manual > plimsoll.1\n");
  if (!parse(app, arguments)) return kDone;
  print_head();
  static constexpr const char* kSection[] = {kAsManual};
  for (const Command& command : commands())
    if (!command.hidden) command.run(Arguments(kSection));
  print_tail();
  return kDone;
}

}  // namespace plimsoll::cli
