#include "plimsoll/cli/describe_command.h"

#include <fmt/format.h>

#include <cstdio>
#include <sstream>

namespace plimsoll::cli {
namespace {

std::string last_word(const std::string& name) {
  return name.substr(name.rfind(' ') + 1);
}

std::vector<std::string> names_on_command_line(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

// What may be typed after an option, by its placeholder: "a|b" is a choice of words; FILE, DATA and
// the like are paths; anything else is a number or a name that a shell cannot know.
std::string bash_values(const std::string& placeholder) {
  if (placeholder.find('|') != placeholder.npos) {
    std::string words = placeholder;
    std::ranges::replace(words, '|', ' ');
    return fmt::format("values=\"{}\" takes=words", words);
  }
  for (const char* path : {"FILE", "FOLDER", "DATA", "MODEL", "RUN"})
    if (placeholder == path) return "takes=files";
  return "takes=none";
}

std::string groff_option(const CLI::Option& option) {
  std::string heading;
  if (option.get_positional()) heading = "\\fI" + groff_text(option.get_name(true)) + "\\fR";
  for (const std::string& name : names_on_command_line(option))
    heading += (heading.empty() ? "\\fB" : ", \\fB") + groff_text(name) + "\\fR";
  if (!option.get_positional() && !option.get_option_text().empty())
    heading += " \\fI" + groff_text(option.get_option_text()) + "\\fR";
  return fmt::format(".TP\n{}\n{}\n", heading, groff_text(option.get_description()));
}

}  // namespace

std::string groff_text(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool begins_line = i == 0 || text[i - 1] == '\n';
    if (begins_line && (text[i] == '.' || text[i] == '\'')) result += "\\&";
    if (text.substr(i).starts_with("…")) {
      result += "...";
      i += std::string_view("…").size() - 1;
    } else if (text[i] == '\\') {
      result += "\\e";
    } else if (text[i] == '-') {
      result += "\\-";
    } else {
      result += text[i];
    }
  }
  return result;
}

std::string groff_paragraphs(std::string_view text) {
  std::string result = ".PP\n";
  bool literal = false;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  ") != literal) {
      literal = !literal;
      result += literal ? ".EX\n" : ".EE\n";
    }
    result += line.empty() ? ".PP\n" : groff_text(line) + "\n";
  }
  if (literal) result += ".EE\n";
  return result;
}

void print_as_completion(const CLI::App& app) {
  std::string options, branches;
  for (const CLI::Option* option : app.get_options()) {
    const std::vector<std::string> names = names_on_command_line(*option);
    if (names.empty()) continue;
    options += fmt::format("{}{}", options.empty() ? "" : " ", fmt::join(names, " "));
    if (option->get_expected_max() > 0 && !option->get_option_text().empty())
      branches += fmt::format("        {}) {} ;;\n", fmt::join(names, " | "),
                              bash_values(option->get_option_text()));
  }
  std::printf("    %s)\n      options=\"%s\"\n      case $previous in\n%s      esac\n      ;;\n",
              last_word(app.get_name()).c_str(), options.c_str(), branches.c_str());
}

void print_as_manual(const CLI::App& app) {
  std::string usage, options;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional())
      usage += " \\fI" + groff_text(option->get_name(true)) + "\\fR";
    else if (option->get_required())
      usage += fmt::format(" \\fB{}\\fR \\fI{}\\fR", groff_text(option->get_name()),
                           groff_text(option->get_option_text()));
    options += groff_option(*option);
  }
  std::printf(".SS %s\n.PP\n\\fB%s\\fR%s [\\fIOPTIONS\\fR]\n%s%s%s",
              groff_text(last_word(app.get_name())).c_str(), groff_text(app.get_name()).c_str(),
              usage.c_str(), groff_paragraphs(app.get_description()).c_str(), options.c_str(),
              groff_paragraphs(app.get_footer()).c_str());
}

}  // namespace plimsoll::cli
