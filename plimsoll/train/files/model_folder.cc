#include "plimsoll/train/files/model_folder.h"

#include <filesystem>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

bool has_file(const std::string& folder, const char* name) {
  std::error_code error;
  return fs::is_regular_file(fs::path(folder) / name, error);
}

// What a folder is that holds no model to read.
std::string other_folder(const std::string& path) {
  if (has_file(path, "saved_model.pb"))
    return "is a TensorFlow SavedModel, which holds a program instead of layers; in the Python "
           "that "
           "made it, call model.save(\"model.keras\") and give that file";
  if (has_file(path, "model.keras"))
    return "is the folder of a run; its model is " + (fs::path(path) / "model.keras").string();
  if (has_file(path, "config.json"))
    return "holds the config.json of a model but not its model.weights.h5; pack or unpack the "
           ".keras "
           "file again";
  return "is a folder, expected a Keras model: a .keras or .h5 file, or the .json of "
         "model.to_json()";
}

}  // namespace

bool is_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

ModelFolder find_model_folder(const std::string& path) {
  if (!has_file(path, "config.json") || !has_file(path, "model.weights.h5"))
    throw InvalidArgument(path + ": " + other_folder(path));
  std::error_code error;
  if (fs::is_directory(fs::path(path) / "assets", error))
    throw InvalidArgument(
        path +
        ": is an unpacked model whose layers keep files in it (assets), which are "
        "read only from the .keras file itself; give that");
  return {.config = (fs::path(path) / "config.json").string(),
          .weights = (fs::path(path) / "model.weights.h5").string()};
}

}  // namespace plimsoll
