// What a command's definition says about itself, for the shell's completion and the manual page.
// `parse` prints these instead of running the command where it finds one of the two arguments
// below.
#pragma once

#include <CLI/CLI.hpp>

namespace plimsoll::cli {

inline constexpr const char* kAsCompletion = "--as-completion";
inline constexpr const char* kAsManual = "--as-manual";

// The branch of a bash `case` that sets what may follow this command: `options`, and `values`
// (words) or `takes` (files or none) after the option in $previous.
void print_as_completion(const CLI::App& app);

// A subsection of the manual page, in the language of groff's man macros.
void print_as_manual(const CLI::App& app);

// Text for groff: nothing in it is taken for a macro or an escape.
std::string groff_text(std::string_view text);

// Paragraphs for groff; lines that are indented stay as they are.
std::string groff_paragraphs(std::string_view text);

}  // namespace plimsoll::cli
