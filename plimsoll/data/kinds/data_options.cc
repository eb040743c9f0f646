#include "plimsoll/data/kinds/data_options.h"

namespace plimsoll {

const char* flag_of(DataOption option) {
  switch (option) {
    case DataOption::target:
      return "--target";
    case DataOption::ignore:
      return "--ignore";
    case DataOption::missing:
      return "--missing";
    case DataOption::encode:
      return "--encode";
    case DataOption::header:
      return "--header";
    case DataOption::no_header:
      return "--no-header";
    case DataOption::image_size:
      return "--image-size";
    case DataOption::features:
      return "--features";
    case DataOption::window:
      return "--window";
    case DataOption::array:
      return "--array";
  }
  return "";
}

bool is_given(const DataOptions& options, DataOption option) {
  switch (option) {
    case DataOption::target:
      return !options.target.empty();
    case DataOption::ignore:
      return !options.ignored.empty();
    case DataOption::missing:
      return options.missing.has_value();
    case DataOption::encode:
      return !options.encode.empty();
    case DataOption::header:
      return options.has_header == true;
    case DataOption::no_header:
      return options.has_header == false;
    case DataOption::image_size:
      return options.image_size.has_value();
    case DataOption::features:
      return !options.features.empty();
    case DataOption::window:
      return options.window.has_value();
    case DataOption::array:
      return !options.array.empty();
  }
  return false;
}

}  // namespace plimsoll
