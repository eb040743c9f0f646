// Data as a person names it, a file or a folder, as the inputs and targets of a model.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/finding.h"
#include "plimsoll/data/images/resize_rows.h"
#include "plimsoll/train/data/data_files.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

struct DataOptions {
  bool targets = true;  // without: the inputs alone, to predict
  // Of a CSV file: the column that is to be learnt, or one for each output of the model; columns
  // that are not used; what stands for a missing number.
  std::vector<std::string> target = {};
  std::vector<std::string> ignored = {};
  std::optional<double> missing = {};
  // Of text labels and class folders, in the order of their numbers; empty: sorted, as found.
  std::vector<std::string> class_names = {};
  // Height and width of images where the model leaves them open.
  std::optional<std::array<int64_t, 2>> image_size = {};
  // How the images of a folder are resized, and whether JPEG files are decoded fast or exactly.
  ImageInterpolation interpolation = ImageInterpolation::bilinear;
  bool crop_to_aspect_ratio = false, pad_to_aspect_ratio = false, fast_decode = false;
  // Of TFRecord files: a JSON file that says what features they have (data/feature_file.h).
  std::string features = {};
  // Where a compressed array is expanded, and who is told of that and the like.
  std::string folder = {};
  std::function<void(const Finding&)> announce = {};
};

struct OpenedData {
  DataKind kind;
  Dataset data;
};

// By what is at `path`:
// - a .npz file: an array for each input and output of the model, by their names; or x and y, where
//   there is one of each. An array sample_weight weighs the samples.
// - a .npy file: the one input, without targets.
// - a .csv file: a column for each input by its name, or all that are not targets for the only one.
// - a folder: images, in a sub-folder for each class where targets are asked for. Labels are
//   written as the model's loss wants them.
// - .tfrecord files, .tar archives and IDX files, one or several (see find_data).
// InvalidArgument, naming the file, where it has not what the model needs.
OpenedData open_data(const std::string& path, const Model& model, const DataOptions& options);

}  // namespace plimsoll
