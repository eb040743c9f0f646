// A model's own ways into files.
#include "plimsoll/train/files/model_file.h"
#include "plimsoll/train/files/weight_file.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

void Model::save(const std::string& path) const {
  save_model(*this, path);
}

void Model::save_weights(const std::string& path) const {
  plimsoll::save_weights(*this, path);
}

void Model::load_weights(const std::string& path) {
  plimsoll::load_weights(*this, path);
}

}  // namespace plimsoll
