// How a person wants data to be read. The row of a kind of data says which options it takes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/finding.h"
#include "plimsoll/data/encode/table_encoding.h"
#include "plimsoll/data/images/resize_rows.h"
#include "plimsoll/data/source.h"
#include "plimsoll/formats/tables/table_schema.h"

namespace plimsoll {

struct DataOptions {
  bool targets = true;  // without: the inputs alone, to predict
  // Of tables: the column that is to be learnt, or one for each output of the model; columns that
  // are not used; the value that replaces a missing number.
  std::vector<std::string> target = {};
  std::vector<std::string> ignored = {};
  std::optional<double> missing = {};
  // Of CSV files: without a header the columns are called c0, c1, …. None: as the schema says, else
  // there is one, and a first line that is like the records is an error.
  std::optional<bool> has_header = {};
  // Of tables for a trained model: its columns by name. What is set above replaces what it says.
  std::optional<TableSchema> schema = {};
  // Of CSV files: how text, dates and numbers as people write them become numbers
  // (encode/table_encoding.h). "auto", or a JSON file that says so of some columns; what it leaves
  // open is learnt from the table. Empty: as the schema says, else columns must hold numbers.
  std::string encode = {};
  // An encoding that is learnt already, instead.
  TableEncodingPtr encoding = {};
  // The records to learn that from, of all records: the part to train on. None: all of them.
  std::function<SourcePtr(const SourcePtr& all)> encoding_records = {};
  // A record of a table that is not as it should be is an error when it is read, and not when the
  // table is opened.
  bool keeps_bad_records = false;
  // Of text labels and class folders, in the order of their numbers; empty: sorted, as found.
  std::vector<std::string> class_names = {};
  // Height and width of images where the model leaves them open.
  std::optional<std::array<int64_t, 2>> image_size = {};
  // How the images of a folder are resized, and whether JPEG files are decoded fast or exactly.
  ImageInterpolation interpolation = ImageInterpolation::bilinear;
  bool crop_to_aspect_ratio = false, pad_to_aspect_ratio = false, fast_decode = false;
  // Of TFRecord files: a JSON file that says what features they have (sources/feature_file.h).
  std::string features = {};
  // Of tables and arrays that are a series: each record is `window` consecutive rows, and the
  // target is `horizon` rows after the last of them; windows begin `stride` rows apart. No window:
  // each row is a record.
  std::optional<int64_t> window = {}, horizon = {}, stride = {};
  // Of .npz files that are opened for no model: the only array that is wanted; empty: all.
  std::string array = {};
  // The folder in which a compressed array is expanded, and a function that is called with notes
  // such as that one.
  std::string folder = {};
  std::function<void(const Finding&)> announce = {};
};

// The options that only some kinds of data take.
enum class DataOption {
  target,
  ignore,
  missing,
  encode,
  header,
  no_header,
  image_size,
  features,
  window,
  array
};
inline constexpr std::array kDataOptions = {
    DataOption::target, DataOption::ignore,    DataOption::missing,    DataOption::encode,
    DataOption::header, DataOption::no_header, DataOption::image_size, DataOption::features,
    DataOption::window, DataOption::array};

// "--target".
const char* flag_of(DataOption option);
// True if it is set.
bool is_given(const DataOptions& options, DataOption option);

}  // namespace plimsoll
