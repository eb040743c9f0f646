#include "plimsoll/cli/named_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "plimsoll/cli/earlier_run.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain = "_./=,:+@%-";
  const auto is_plain = [&](unsigned char c) {
    return std::isalnum(c) != 0 || kPlain.find(static_cast<char>(c)) != kPlain.npos;
  };
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// Empty where the option was not given; else it begins with a space.
std::string option_text(const char* option, const std::string& value) {
  return value.empty() ? "" : fmt::format(" {} {}", option, shell_word(value));
}

template <class Number>
std::string option_text(const char* option, const std::optional<Number>& value) {
  return value ? fmt::format(" {} {}", option, *value) : "";
}

// With the options that every command takes which reads data.
std::string data_text(const DataArguments& it) {
  if (it.path.empty() || it.path == "-") return "";
  std::string text = shell_word(it.path) + option_text("--target", it.target) +
                     option_text("--ignore", it.ignored) + option_text("--missing", it.missing) +
                     option_text("--image-size", it.image_size) +
                     option_text("--features", it.features) + option_text("--window", it.window) +
                     option_text("--horizon", it.horizon) + option_text("--stride", it.stride) +
                     option_text("--classes", it.classes);
  if (it.interpolation != DataArguments().interpolation)
    text += option_text("--interpolation", it.interpolation);
  for (const auto& [is_given, option] : {std::pair{it.header, " --header"},
                                         {it.no_header, " --no-header"},
                                         {it.crop, " --crop-to-aspect-ratio"},
                                         {it.pad, " --pad-to-aspect-ratio"},
                                         {it.fast_decode, " --fast-decode"}})
    if (is_given) text += option;
  return text;
}

// Empty if it is not known.
std::string word_for(std::string_view word, bool is_check, bool is_reading,
                     const NamedFiles& names) {
  if (word == "RUN") return names.run;
  if (word == "MODEL" && !names.model.empty()) return names.model + (is_check ? names.loss : "");
  if (word == "DATA" && !names.data.empty())
    return names.data + (is_check ? names.encode : is_reading ? names.augment : "");
  return "";
}

std::string with_names(const std::string& option, const NamedFiles& names) {
  if (!option.starts_with("plimsoll ")) return option;
  const bool is_check = option.starts_with("plimsoll check "),
             is_reading = option.starts_with("plimsoll bench-data ");
  std::string text;
  bool is_in_folder = false;
  for (size_t begin = 0; begin < option.size();) {
    const size_t end = std::min(option.find(' ', begin), option.size());
    const std::string word = option.substr(begin, end - begin);
    const std::string name = word_for(word, is_check, is_reading, names);
    is_in_folder = is_in_folder || (!name.empty() && word != "RUN");
    text += (text.empty() ? "" : " ") + (name.empty() ? word : name);
    begin = end + 1;
  }
  return is_in_folder && !names.folder.empty() ? fmt::format("cd {} && {}", names.folder, text)
                                               : text;
}

}  // namespace

NamedFiles named_files(const TrainArguments& arguments, const std::string& run) {
  return {.run = run.empty() ? "" : shell_word(run),
          .model = shell_word(arguments.model.path),
          .data = data_text(arguments.data),
          .loss = option_text("--loss", arguments.model.loss),
          .encode = option_text("--encode", arguments.data.encode),
          .augment = option_text("--augment", arguments.augmentation)};
}

NamedFiles named_files_of_run(const std::string& run, const fs::path& reader) {
  if (is_of_program(run)) return {.run = shell_word(run)};
  const EarlierCommand command = command_of_run(run);
  std::vector<const char*> texts;
  for (const std::string& argument : command.arguments) texts.push_back(argument.c_str());
  TrainArguments arguments;
  read(Arguments(texts), arguments);
  NamedFiles names = named_files(arguments, run);
  std::error_code error;
  if (!fs::equivalent(command.folder, reader, error)) names.folder = shell_word(command.folder);
  return names;
}

DiagnosedCause with_names(DiagnosedCause cause, const NamedFiles& names) {
  cause.option = with_names(cause.option, names);
  return cause;
}

Diagnosis with_names(Diagnosis diagnosis, const NamedFiles& names) {
  for (DiagnosedCause& cause : diagnosis.findings) cause = with_names(std::move(cause), names);
  return diagnosis;
}

}  // namespace plimsoll::cli
