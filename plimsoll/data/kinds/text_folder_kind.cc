// Folders of texts, with one folder per class, for models with an input of strings.
#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/data/kinds/data_kind.h"
#include "plimsoll/data/kinds/image_request.h"
#include "plimsoll/data/sources/text_folder.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

// A folder is one if most of its files are texts.
bool is_never_a_text(const DataFile&) {
  return false;
}

bool is_text_in_folder(const std::string& below) {
  return below.ends_with(".txt");
}

NamedFields open_text_folder(const DataRequest& request) {
  if (!request.is_for_model)
    throw InvalidArgument(
        fmt::format("{}: is a folder of texts, which are read for a model with an input of strings "
                    "alone (a TextVectorization makes numbers of them)",
                    request.path));
  const Spec& input = request.inputs[0].spec;
  if (request.inputs.size() != 1 || input.dtype != DType::string ||
      shape_of_elements(input).elements() != 1)
    throw InvalidArgument(fmt::format(
        "{}: a folder of texts needs a model with one input of one string, such as Input((1,), "
        "dtype=\"string\") before a TextVectorization",
        request.path));
  TextFolderOptions options{.label_mode = label_mode_for(request),
                            .class_names = request.options.class_names,
                            .has_axis = shape_of_elements(input).rank() == 1};
  if (options.label_mode == LabelMode::none) options.class_names.clear();
  NamedFields fields{.records = text_folder(request.path, options), .names = {"x"}};
  if (options.label_mode == LabelMode::none) return fields;
  fields.names.emplace_back("y");
  check_image_classes(*fields.records, request, options.label_mode);
  return fields;
}

}  // namespace

namespace kinds {

extern constexpr DataKind text_folder{
    .name = "text_folder",
    .files = "folders of texts",
    .help = "a folder of .txt files with one folder per class, for a model that takes strings",
    .recognises = is_never_a_text,
    .is_in_folder = is_text_in_folder,
    .is_shuffled_to_split = true,
    .open = open_text_folder};

}  // namespace kinds
}  // namespace plimsoll
