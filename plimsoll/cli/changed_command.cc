#include "plimsoll/cli/changed_command.h"

#include <map>

#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/train_arguments.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kWithout = "train without ";

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

// A command of train, read by the definitions that train has of its options.
class ReadCommand {
 public:
  explicit ReadCommand(const std::vector<std::string>& words) : words_(words) {
    add_train(app_, into_);
    std::vector<const char*> texts;
    for (const std::string& word : words_) texts.push_back(word.c_str());
    parse(app_, Arguments(texts));
  }

  // The words but those of this option, by all its names, and of its values.
  std::vector<std::string> without(const std::string& name) const {
    const CLI::Option* taken = app_.get_option_no_throw(name);
    std::map<const CLI::Option*, size_t> read;  // values that were come upon
    std::vector<std::string> kept;
    for (size_t i = 0; i < words_.size();) {
      const CLI::Option* option = option_of(words_[i]);
      const size_t end = i + 1 + (option == nullptr ? 0 : values_after(i, *option, read[option]));
      for (; i < end; ++i)
        if (option == nullptr || option != taken) kept.push_back(words_[i]);
    }
    return kept;
  }

 private:
  const CLI::Option* option_of(const std::string& word) const {
    return word.starts_with("--") ? app_.get_option_no_throw(word.substr(0, word.find('=')))
                                  : nullptr;
  }

  // How many words after the option are values of it: those that were read as such. Whether the
  // word after "--save-best" is one depends on what else the command has.
  size_t values_after(size_t word, const CLI::Option& option, size_t& read) const {
    if (option.get_items_expected_max() == 0) return 0;  // a flag
    const std::vector<std::string>& values = option.results();
    size_t count = 0;
    const auto is_next = [&] {
      return read < values.size() && word + 1 + count < words_.size() &&
             words_[word + 1 + count] == values[read];
    };
    if (words_[word].find('=') == std::string::npos)
      for (; is_next(); ++count) ++read;
    if (count == 0) ++read;  // it is in the word itself, or the one that stands for none
    return count;
  }

  const std::vector<std::string>& words_;
  TrainArguments into_;
  CLI::App app_{"", "plimsoll train"};
};

}  // namespace

bool is_option_of_train(std::string_view advice) {
  return advice.starts_with("--") || advice.starts_with(kWithout);
}

std::vector<std::string> with_option(const std::vector<std::string>& arguments,
                                     const std::vector<std::string>& option) {
  std::vector<std::string> changed = ReadCommand(arguments).without(option.front());
  changed.insert(changed.end(), option.begin(), option.end());
  return changed;
}

std::vector<std::string> with_advice(const std::vector<std::string>& arguments,
                                     const std::string& advice) {
  return advice.starts_with(kWithout)
             ? ReadCommand(arguments).without(advice.substr(kWithout.size()))
             : with_option(arguments, words_of(advice));
}

}  // namespace plimsoll::cli
