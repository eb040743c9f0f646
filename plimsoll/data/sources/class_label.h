// The label of a class, written as a label mode says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "plimsoll/data/sources/image_folder_options.h"
#include "plimsoll/tensor/spec.h"

namespace plimsoll {

// InvalidArgument, beginning with `path`, where binary labels have other than two classes.
Spec class_label_field(LabelMode mode, int64_t classes, const std::string& path);
void write_class_label(LabelMode mode, int64_t label, int64_t classes, std::byte* into);

}  // namespace plimsoll
