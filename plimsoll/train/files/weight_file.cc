#include "plimsoll/train/files/weight_file.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/keras_archive.h"
#include "plimsoll/formats/archives/safetensors.h"
#include "plimsoll/train/files/file_kind.h"
#include "plimsoll/train/files/keras_weights.h"
#include "plimsoll/train/files/layer_places.h"
#include "plimsoll/train/files/layer_state.h"
#include "plimsoll/train/files/legacy_weights.h"
#include "plimsoll/train/files/optimizer_state.h"

namespace plimsoll {
namespace {

Optimizer optimizer_of(const Model& model) {
  return model.compiled() ? model.optimizer() : Optimizer();
}

void check_built(const Model& model, const std::string& path) {
  if (model.network().inputs().empty())
    throw InvalidArgument(path + ": " + model.name() +
                          " has no weights yet; give its first layer an Input, or call it once");
}

FoundWeights find_hdf5(const Network& network, const Optimizer& optimizer, const Hdf5File& file) {
  FoundWeights found{WeightLoad(file.name)};
  if (has_keras_weights(file.root)) {
    read_layer_numbers(network, file.root);
    found.notes = add_keras_weights(found.load, file, network, optimizer);
    return found;
  }
  const Hdf5Group* legacy = find_legacy_weights(file.root);
  if (legacy == nullptr)
    throw CorruptFile(file.name +
                      ": holds no weights of a Keras model (it has no group 'layers' "
                      "and no attribute 'layer_names')");
  add_legacy_weights(found.load, *legacy, network);
  if (optimizer.defined())
    found.notes = add_optimizer_state(found.load, legacy_optimizer_state(file.root), network,
                                      optimizer, file.name);
  return found;
}

FoundWeights find_safetensors(const Network& network, const std::string& path) {
  const auto file = std::make_shared<const SafetensorsFile>(file_source(path));
  WeightLoad load(path);
  size_t used = 0;
  for (const LayerPlace& place : layer_places(network))
    for (const Variable& weight : place.weights) {
      const std::string name = weight_path(place, weight);
      const SafetensorsEntry* entry = file->find(name);
      if (entry == nullptr) load.refuse(name, "the file has no tensor of this name");
      load.add(weight, entry->shape, name, [file, entry](DType dtype, std::span<std::byte> into) {
        file->read(*entry, dtype, into);
      });
      ++used;
    }
  if (used != file->entries().size())
    load.refuse(network.name(),
                fmt::format("expected {} tensors, found {}", used, file->entries().size()));
  return {std::move(load)};
}

void save_safetensors(const Network& network, const AtomicFile& file, const WeightValues& values) {
  Variables weights;
  SafetensorsWriter::Tensors tensors;
  for (const LayerPlace& place : layer_places(network))
    for (const Variable& weight : place.weights) {
      tensors.emplace_back(weight_path(place, weight), weight.spec());
      weights.push_back(weight);
    }
  SafetensorsWriter writer(file.temporary_path(), tensors, file.path());
  for (const Variable& weight : weights)
    values(weight, [&](std::span<const std::byte> bytes) { writer.append(bytes); });
}

void save_hdf5(const Model& model, const AtomicFile& file, bool as_keras_3,
               const WeightValues& values) {
  Hdf5Writer writer(file.temporary_path(), file.path());
  if (as_keras_3)
    write_keras_weights(writer, model.network(), optimizer_of(model), values);
  else
    write_legacy_weights(writer, "", model.network(), values);
  writer.finish();
}

}  // namespace

FoundWeights find_weights(const Model& model, const std::string& path, bool optimizer_state) {
  check_built(model, path);
  const Network& network = model.network();
  const Optimizer optimizer = optimizer_state ? optimizer_of(model) : Optimizer();
  switch (kind_of_file(path)) {
    case FileKind::zip:
      return find_hdf5(network, optimizer, KerasArchive(path).weights());
    case FileKind::hdf5:
      return find_hdf5(network, optimizer, read_hdf5(file_source(path)));
    case FileKind::safetensors:
      return find_safetensors(network, path);
    default:
      throw InvalidArgument(path +
                            ": is no file of weights; .keras, .h5, .weights.h5 and "
                            ".safetensors are read");
  }
}

std::vector<Finding> load_weights(Model& model, const std::string& path) {
  FoundWeights found = find_weights(model, path);
  found.load.run();
  return found.notes;
}

void save_weights(const Model& model, const std::string& path, const WeightValues& values) {
  check_built(model, path);
  const bool as_hdf5 = path.ends_with(".h5") || path.ends_with(".hdf5");
  if (!as_hdf5 && !path.ends_with(".safetensors"))
    throw InvalidArgument(path + ": weights are saved as .weights.h5, .h5 or .safetensors");
  AtomicFile file(path);
  if (as_hdf5)
    save_hdf5(model, file, path.ends_with(".weights.h5"), values);
  else
    save_safetensors(model.network(), file, values);
  file.commit();
}

}  // namespace plimsoll
