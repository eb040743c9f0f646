// NamedFiles: what the advice of the doctor calls RUN, MODEL and DATA, as a shell takes them, so
// that a command that it names can be given as it stands.
#pragma once

#include <filesystem>
#include <string>

#include "plimsoll/cli/train_arguments.h"
#include "plimsoll/guards/doctor/diagnosis.h"

namespace plimsoll::cli {

struct NamedFiles {
  std::string run = {}, model = {}, data = {};  // empty: not known
  std::string loss = {};                        // the option, if it was given
  std::string encode = {}, augment = {};        // likewise
  std::string folder = {};                      // in which they are good; empty: the current one
};

// Of a training that is begun here; `run` may be empty.
NamedFiles named_files(const TrainArguments& arguments, const std::string& run);
// Of a run that a command has trained, for somebody whose current folder is `reader`; nothing but
// `run`, as it was given, if a program has.
NamedFiles named_files_of_run(const std::string& run, const std::filesystem::path& reader);

// "plimsoll check DATA --model MODEL" becomes "plimsoll check houses.csv --target price --model
// houses.keras"; other options stay as they are, and so does what is not known.
DiagnosedCause with_names(DiagnosedCause cause, const NamedFiles& names);
Diagnosis with_names(Diagnosis diagnosis, const NamedFiles& names);

}  // namespace plimsoll::cli
