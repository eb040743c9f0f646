#include "plimsoll/cli/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "plimsoll/base/memory_budget.h"
#include "plimsoll/base/nearest_name.h"
#include "plimsoll/cli/describe_command.h"
#include "plimsoll/cli/wrong_usage.h"

namespace plimsoll::cli {
namespace {

template <class T>
bool is_whole(const std::string& text, T& value) {
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc() && result.ptr == end;
}

CLI::Validator expects(const char* what, bool (*accepts)(const std::string&)) {
  const auto check = [=](std::string& text) {
    return accepts(text) ? std::string() : fmt::format("expects {}, found '{}'", what, text);
  };
  return CLI::Validator(check, "");
}

// Lines of at most 100 characters. Types are left out: the descriptions name them.
class HelpFormatter final : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    constexpr size_t kLineWidth = 100;
    const size_t indent = get_column_width();
    std::string text = "  " + make_option_name(option, is_positional);
    if (!is_positional) text += " " + option->get_option_text();
    // A name that reaches the descriptions has a line of its own.
    text += text.size() < indent ? std::string(indent - text.size(), ' ')
                                 : "\n" + std::string(indent, ' ');
    size_t column = indent;
    std::istringstream words(option->get_description());
    for (std::string word; words >> word;) {
      if (column > indent && column + word.size() > kLineWidth) {
        text.back() = '\n';
        text += std::string(indent, ' ');
        column = indent;
      }
      text += word + " ";
      column += word.size() + 1;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  }
};

std::string unknown_option(const CLI::App& app, const std::string& found) {
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  return fmt::format("unknown option '{}'{}", found, did_you_mean(found, known));
}

std::string sentence_of(const CLI::App& app, const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::string subject = text.substr(0, std::min(text.find(':'), text.find(" is required")));
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::string first = app.remaining().empty() ? text : app.remaining().front();
    if (first.starts_with("-")) return unknown_option(app, first.substr(0, first.find('=')));
    return "one argument too many: '" + first + "'";
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) return subject + " is missing";
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
    return subject + " needs a value";
  if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr)
    return subject + text.substr(std::min(subject.size() + 1, text.size()));
  return text;
}

// The completion script and the manual page ask a command for its definition.
bool describe(const CLI::App& app, Arguments arguments) {
  const std::string_view only = arguments.size() == 1 ? arguments[0] : "";
  if (only == kAsCompletion) print_as_completion(app);
  if (only == kAsManual) print_as_manual(app);
  return only == kAsCompletion || only == kAsManual;
}

}  // namespace

bool parse(CLI::App& app, Arguments arguments) {
  app.set_help_flag("-h,--help", "show this page");
  app.formatter(std::make_shared<HelpFormatter>());
  app.get_formatter()->column_width(28);
  if (describe(app, arguments)) return false;
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
    return true;
  } catch (const CLI::CallForHelp&) {
    std::printf("%s", app.help().c_str());
    return false;
  } catch (const CLI::ParseError& error) {
    const std::string command = app.get_name().substr(app.get_name().rfind(' ') + 1);
    throw WrongUsage(command + ": " + sentence_of(app, error));
  }
}

CLI::Validator count() {
  return expects("a number from 1 on", [](const std::string& text) {
    int64_t value = 0;
    return is_whole(text, value) && value >= 1;
  });
}

CLI::Validator integer() {
  return expects("a whole number", [](const std::string& text) {
    int64_t value = 0;
    return is_whole(text, value);
  });
}

CLI::Validator number() {
  return expects("a number", [](const std::string& text) {
    double value = 0;
    return is_whole(text, value);
  });
}

CLI::Validator positive() {
  return expects("a number above 0", [](const std::string& text) {
    double value = 0;
    return is_whole(text, value) && value > 0 && std::isfinite(value);
  });
}

CLI::Validator not_negative() {
  return expects("a number from 0 on", [](const std::string& text) {
    double value = 0;
    return is_whole(text, value) && value >= 0 && std::isfinite(value);
  });
}

CLI::Validator fraction() {
  return expects("a number between 0 and 1", [](const std::string& text) {
    double value = 0;
    return is_whole(text, value) && value > 0 && value < 1;
  });
}

CLI::Validator percentage() {
  return expects("a number above 0, at most 100", [](const std::string& text) {
    double value = 0;
    return is_whole(text, value) && value > 0 && value <= 100;
  });
}

CLI::Validator size() {
  return expects("a size such as 512M, 2G, 200MB or 75%", [](const std::string& text) {
    try {
      return parse_memory(text) > 0;
    } catch (const InvalidArgument&) {
      return false;
    }
  });
}

std::vector<std::string> split_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::vector<int64_t> parse_shape(const std::string& text) {
  std::string commas = text;
  std::ranges::replace(commas, 'x', ',');
  std::vector<int64_t> dims;
  for (const std::string& part : split_commas(commas)) {
    int64_t dim = 0;
    if (!is_whole(part, dim) || dim < 1)
      throw WrongUsage(fmt::format("expected numbers such as 224,224,3, found '{}'", text));
    dims.push_back(dim);
  }
  if (dims.empty())
    throw WrongUsage(fmt::format("expected numbers such as 224,224,3, found '{}'", text));
  return dims;
}

}  // namespace plimsoll::cli
