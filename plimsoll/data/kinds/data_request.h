// What is asked of data that is opened: where it is, how it is to be read, and which fields a model
// takes.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "plimsoll/data/kinds/data_options.h"
#include "plimsoll/data/source.h"
#include "plimsoll/formats/images/image_rows.h"

namespace plimsoll {

using Names = std::vector<std::string>;

// A dimension that a model leaves open.
inline constexpr int64_t kOpenSize = -1;

// How a model takes the targets of an output.
enum class TargetForm {
  unknown,        // it has no loss yet
  numbers,        // as they are
  class_bit,      // 0 or 1: one of two classes
  class_numbers,  // the number of a class
  class_vectors,  // a 1 among 0s, one for each class
};
// True if the name of a class makes sense where a target has this form.
inline bool takes_classes(TargetForm form) {
  return form != TargetForm::numbers;
}

// An input or an output of a model.
struct WantedField {
  std::string name;
  Spec spec;  // of one record; a size may be kOpenSize
  TargetForm form = TargetForm::unknown;
};

struct DataRequest {
  std::string path;  // as it was given; it begins every error
  Names files;       // that are there: one or several, or the folder
  DataOptions options = {};
  // Without a model the data is opened as it is, and nothing is wanted in particular.
  bool is_for_model = false;
  // What is wrong with all of the data is listed in NamedFields::bad instead of thrown, as far as
  // the kind can go on.
  bool is_to_check = false;
  std::vector<WantedField> inputs = {}, outputs = {};

  bool wants_targets() const { return is_for_model && options.targets; }
  // `unknown` where there are several outputs.
  TargetForm only_form() const;
};

Names names_of(const std::vector<WantedField>& fields);
bool contains(const Names& names, const std::string& name);
// "(None, 28, 1)".
std::string shape_text(const Shape& shape);

// Which of the fields that were found are the model's: by its names, or "x" and "y" where there is
// one input or output.
struct FieldChoice {
  Names inputs, targets;  // in the model's order
  Names weights;          // "sample_weight", if it is there

  Names all() const;  // the inputs first, the weights last
};
// InvalidArgument, with what was found, where one is missing. `what` is what they are: "an array".
FieldChoice choose_by_name(const DataRequest& request, const Names& found, const char* what);

// Of an input that takes images. InvalidArgument if it takes none.
ColorMode color_mode_for(const DataRequest& request, const WantedField& input);
std::array<int64_t, 2> image_size_for(const DataRequest& request, const WantedField& input);
// Where no model decides: 256 x 256 unless the options say more.
std::array<int64_t, 2> image_size_as_asked(const DataRequest& request);

}  // namespace plimsoll
