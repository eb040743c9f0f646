// Texts in a folder, one sub-folder per class, as Keras's text_dataset_from_directory has them.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/data/source.h"
#include "plimsoll/data/sources/image_folder_options.h"

namespace plimsoll {

struct TextFolderOptions {
  LabelMode label_mode = LabelMode::integer;
  // Of the sub-folders that are classes, in the order of their numbers; empty: all of them, sorted.
  std::vector<std::string> class_names = {};
  // The text has an axis of one element before that of its slot, for inputs of shape (1,).
  bool has_axis = false;
  // A longer text is a bad record. All texts take as much memory in a batch as the longest one.
  int64_t most_bytes = int64_t{1} << 20;
};

// Fields are the text of a file that ends with .txt, as it is, and the label. Records are in the
// order of Keras without shuffling. InvalidArgument if there is no class or no text.
SourcePtr text_folder(const std::string& path, const TextFolderOptions& options = {});

}  // namespace plimsoll
