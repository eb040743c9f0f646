// A table that names image files: one column has their paths, others are what is to be learnt.
#pragma once

#include <optional>
#include <string>

#include "plimsoll/data/sources/csv_source.h"
#include "plimsoll/data/sources/image_folder.h"

namespace plimsoll {

// The first column in which one of the first few records names an image file that exists; none
// where there is no such column. Paths are relative to the folder of the table, as those of all
// records.
std::optional<std::string> image_column(const std::string& table);

// Fields are the image of each record, named in `column`, then the targets of `targets` (its inputs
// are not used). `images` says how images are read; its labels are not used. A record is named by
// its image. An image that does not exist is a bad record. Takes about 100 bytes of memory per
// record. CorruptFile where the file is no table; InvalidArgument where its first line, which names
// the columns, names an image.
SourcePtr image_table(const std::string& table, const std::string& column,
                      const ImageFolderOptions& images, CsvSourceOptions targets);

}  // namespace plimsoll
