// A model's own ways into files.
#include "plimsoll/train/model.h"
#include "plimsoll/train/model_file.h"
#include "plimsoll/train/weight_file.h"

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
