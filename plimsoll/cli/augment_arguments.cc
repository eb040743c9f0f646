#include "plimsoll/cli/augment_arguments.h"

#include <fmt/format.h>

#include <charconv>
#include <functional>
#include <optional>

#include "plimsoll/base/nearest_name.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/wrong_usage.h"

namespace plimsoll::cli {
namespace {

// One option of --augment; `number` is the number after its =, or 0 without one.
struct Choice {
  std::string_view name;
  bool has_number;
  void (*set)(ImageAugmentation& options, double number);
};

constexpr Choice kChoices[] = {
    {"flip", false, [](ImageAugmentation& a, double) { a.horizontal_flip = true; }},
    {"vertical_flip", false, [](ImageAugmentation& a, double) { a.vertical_flip = true; }},
    {"rotation", true, [](ImageAugmentation& a, double x) { a.rotation_range = x; }},
    {"width_shift", true, [](ImageAugmentation& a, double x) { a.width_shift_range = x; }},
    {"height_shift", true, [](ImageAugmentation& a, double x) { a.height_shift_range = x; }},
    {"shear", true, [](ImageAugmentation& a, double x) { a.shear_range = x; }},
    {"zoom", true,
     [](ImageAugmentation& a, double x) {
       a.zoom_range = {1 - x, 1 + x};
     }},
    {"brightness", true,
     [](ImageAugmentation& a, double x) {
       a.brightness_range = {{1 - x, 1 + x}};
     }},
    {"channel_shift", true, [](ImageAugmentation& a, double x) { a.channel_shift_range = x; }},
};

void set_option(ImageAugmentation& options, const std::string& word) {
  const size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  std::vector<std::string> known;
  for (const Choice& choice : kChoices) {
    known.push_back(std::string(choice.name) + (choice.has_number ? "=X" : ""));
    if (name != choice.name) continue;
    double number = 0;
    const char *begin = word.data() + std::min(word.size(), name.size() + 1),
               *end = word.data() + word.size();
    const bool is_read = std::from_chars(begin, end, number).ptr == end && begin != end;
    if (choice.has_number != (equals != word.npos) || (choice.has_number && !is_read))
      throw WrongUsage(fmt::format("--augment: {}, found '{}'",
                                   choice.has_number
                                       ? fmt::format("{0} expects a number, as in {0}=0.2", name)
                                       : name + " takes no number",
                                   word));
    return choice.set(options, number);
  }
  throw WrongUsage(not_known("--augment:", name, known));
}

}  // namespace

void add_augmentation(CLI::App& app, std::string& text) {
  app.add_option("--augment", text,
                 "change images at random as they are read; any of flip, vertical_flip, "
                 "rotation=DEGREES, width_shift=F, height_shift=F, shear=DEGREES, zoom=F, "
                 "brightness=F and channel_shift=LEVELS, separated by commas")
      ->option_text("A,B=X");
}

ImageAugmentation parse_augmentation(const std::string& text) {
  ImageAugmentation options;
  for (const std::string& word : split_commas(text)) set_option(options, word);
  return options;
}

}  // namespace plimsoll::cli
