// DataKind: one kind of data: how it is recognised, which options it takes, and how it becomes the
// named fields of records. Every kind is one file and one row of data_kind_list.cc.
#pragma once

#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/data/check/check_options.h"
#include "plimsoll/data/encode/table_encoding.h"
#include "plimsoll/data/kinds/data_request.h"

namespace plimsoll {

// A file or folder that may be data.
struct DataFile {
  std::string path;
  bool is_folder = false;

  // Without its folders.
  std::string name() const;
  // The first 16 bytes, or fewer. IoError if it cannot be read.
  std::string start() const;
  // True for "-", which is known by its first bytes alone: what is no other kind is a table, or
  // JSON lines if it begins with a brace.
  bool is_standard_input() const;
  bool is_json() const;
};

// The records of opened data. For a model the fields are in its order: inputs, targets, weights.
struct NamedFields {
  SourcePtr records;
  Names names;  // one for each field
  int sample_weights = 0;
  // Targets that are whole numbers are class numbers: they become vectors for a model that takes
  // vectors.
  bool has_class_numbers = false;
  // Unset by open(): as the kind says.
  std::optional<bool> are_images = {}, is_shuffled_to_split = {};
  // Of a table: the columns that were chosen; without inputs for other data.
  TableSchema schema = {};
  // Of a table: how its cells become numbers; null: they are. And the columns of each input then.
  TableEncodingPtr encoding = {};
  std::vector<Names> columns = {};
  std::vector<BadEntry> bad = {};  // about all records; only if the request is to check
};

// How many files make one set of data.
struct FileCount {
  size_t least = 1, most = 1;
};
inline constexpr FileCount kOneFile{}, kAnyFiles{1, std::numeric_limits<size_t>::max()},
    kSeveralFiles{2, std::numeric_limits<size_t>::max()};

// A set of options.
struct DataOptionSet {
  constexpr DataOptionSet(std::initializer_list<DataOption> options) {
    for (const DataOption option : options) bits |= 1u << static_cast<unsigned>(option);
  }
  constexpr bool has(DataOption option) const {
    return (bits >> static_cast<unsigned>(option) & 1u) != 0;
  }
  unsigned bits = 0;
};

struct DataKind {
  std::string_view name;   // a word that stays the same: "npz"
  std::string_view files;  // for lists in messages: ".npz files"
  std::string_view help;   // for the help of commands: "a .npz file with arrays x and y"
  bool (*recognises)(const DataFile& file) = nullptr;
  FileCount count = kOneFile;
  // True if a file with this path below a folder makes the folder data of this kind, which it is if
  // most of its files are such; null for kinds that are never a folder.
  bool (*is_in_folder)(const std::string& below) = nullptr;
  bool are_files_of_folder = false;  // they are then opened as files, not as the folder
  DataOptionSet takes = {};
  bool are_images = false;  // each record is an image file (see with_image_file)
  // A split for validation shuffles the records before, as that of Keras's
  // image_dataset_from_directory does: files come class by class, so the last of them would all be
  // of the last class.
  bool is_shuffled_to_split = false;
  // InvalidArgument, beginning with the path, where the data lacks what is asked for; CorruptFile
  // where it is damaged.
  NamedFields (*open)(const DataRequest& request) = nullptr;
  // Opens it for a check without a model. Null, or without records, where open() reads all records,
  // and reading a bad one is the error.
  DataToCheck (*open_to_check)(const DataRequest& request) = nullptr;
};

}  // namespace plimsoll
