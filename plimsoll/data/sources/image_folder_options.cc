#include "plimsoll/data/sources/image_folder_options.h"

#include "plimsoll/base/error.h"

namespace plimsoll {

LabelMode label_mode(const std::string& name) {
  if (name == "int") return LabelMode::integer;
  if (name == "categorical") return LabelMode::categorical;
  if (name == "binary") return LabelMode::binary;
  throw InvalidArgument("label_mode: expected int, categorical or binary, found '" + name + "'");
}

}  // namespace plimsoll
