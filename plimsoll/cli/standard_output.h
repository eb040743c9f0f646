// Standard output of the program: it may be a console that goes away, or the place of a result.
#pragma once

namespace plimsoll::cli {

// Called first. A pipe whose reader is gone, or a file that may not grow further, then fails to be
// written instead of ending the process, and no file of the program gets the number of a
// standard stream that is closed.
void prepare_standard_streams();

// Writes what is left and returns the exit code: `code`, or that of a file that cannot be written,
// with a sentence on standard error. If the output is only a console, it may be gone: a closed pipe
// or terminal changes nothing.
int end_output(int code, bool is_only_console);

}  // namespace plimsoll::cli
