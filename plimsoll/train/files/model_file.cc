#include "plimsoll/train/files/model_file.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/base/error.h"
#include "plimsoll/base/free_space.h"
#include "plimsoll/formats/archives/json.h"
#include "plimsoll/formats/archives/keras_archive.h"
#include "plimsoll/formats/bytes/read_text.h"
#include "plimsoll/graph/initial_values.h"
#include "plimsoll/nn/keras/layer_config.h"
#include "plimsoll/nn/keras/network_config.h"
#include "plimsoll/train/files/compile_config.h"
#include "plimsoll/train/files/file_kind.h"
#include "plimsoll/train/files/keras_weights.h"
#include "plimsoll/train/files/layer_state.h"
#include "plimsoll/train/files/legacy_weights.h"
#include "plimsoll/train/files/model_folder.h"
#include "plimsoll/train/files/not_a_model.h"
#include "plimsoll/train/files/weight_file.h"

namespace plimsoll {
namespace {

// The Keras whose files these are. A date would make them other files each time.
constexpr const char* kKerasVersion = "3.15.1";
constexpr const char* kMetadata =
    R"({"keras_version": "3.15.1", "date_saved": "1970-01-01@00:00:00"})";
constexpr int64_t kMaxTextBytes = int64_t{64} << 20;

// --- reading ----------------------------------------------------------------------------------

// Calls `read`; its errors then begin with the path of this file.
template <class Read>
auto about(const std::string& path, const Read& read) {
  try {
    return read();
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(path + ": " + error.what());
  } catch (const nlohmann::json::exception& error) {
    throw CorruptFile(path + ": the config is not that of a Keras model: " + error.what());
  }
}

// A part of a model's JSON; nothing if there is none.
std::optional<Json> part_of(const Json& json, const char* key) {
  if (!json.is_object()) return {};
  const auto found = json.find(key);
  if (found == json.end() || found->is_null() || found->empty()) return {};
  return *found;
}

class ModelReader {
 public:
  ModelReader(std::string path, const LoadOptions& options)
      : path_(std::move(path)), options_(options) {}

  LoadedModel read() {
    if (is_folder(path_)) return read_folder();
    switch (kind_of_file(path_)) {
      case FileKind::zip:
        return read_archive();
      case FileKind::hdf5:
        return read_legacy();
      case FileKind::json:
        return read_architecture();
      default:
        refuse_other();
    }
  }

 private:
  LoadedModel read_archive() {
    if (!ZipArchive(path_).has("config.json")) refuse_other();
    const KerasArchive archive(path_);
    const Json json = parse_json(archive.config(), path_ + "/config.json");
    LoadedModel loaded = build(json, false);
    about(path_, [&] { read_layer_state(loaded.model.network(), archive); });
    compile(loaded, part_of(json, "compile_config"));
    find_weights_of(loaded, path_);
    return loaded;
  }

  [[noreturn]] void refuse_other() const {
    throw InvalidArgument(path_ + ": is not a Keras model" + what_else_it_is(path_) +
                          "; .keras, .h5 and the .json of model.to_json() are read");
  }

  // A .keras file that somebody has unpacked.
  LoadedModel read_folder() {
    const ModelFolder folder = find_model_folder(path_);
    const Json json = parse_json(read_text(folder.config, kMaxTextBytes, "a model"), folder.config);
    LoadedModel loaded = build(json, false);
    compile(loaded, part_of(json, "compile_config"));
    find_weights_of(loaded, folder.weights);
    return loaded;
  }

  LoadedModel read_legacy() {
    const Hdf5File file = read_hdf5(file_source(path_));
    const auto config = attribute_of(file, "model_config");
    if (!config)
      throw InvalidArgument(path_ +
                            ": holds weights alone, without a model; make the model and "
                            "read them with load_weights()");
    LoadedModel loaded = build(*config, false);
    compile(loaded, attribute_of(file, "training_config"));
    find_weights_of(loaded, path_);
    return loaded;
  }

  LoadedModel read_architecture() {
    const Json json = parse_json(read_text(path_, kMaxTextBytes, "a model"), path_);
    LoadedModel loaded = build(json, options_.weights && options_.initial_values);
    loaded.has_weights = false;
    compile(loaded, part_of(json, "compile_config"));
    return loaded;
  }

  std::optional<Json> attribute_of(const Hdf5File& file, const char* name) const {
    const auto found = file.root.attributes.find(name);
    if (found == file.root.attributes.end() || found->second.text.empty()) return {};
    return parse_json(found->second.text[0], path_ + ", attribute " + name);
  }

  LoadedModel build(const Json& json, bool with_initial_values) const {
    std::optional<WithoutInitialValues> reserved;
    if (!with_initial_values) reserved.emplace();
    take_config_notes();
    LoadedModel loaded{Model(about(path_, [&] { return network_from_json(json); }))};
    for (const std::string& note : take_config_notes())
      loaded.notes.push_back({.where = path_, .what = note});
    return loaded;
  }

  void compile(LoadedModel& loaded, const std::optional<Json>& config) const {
    if (!config) return;
    try {
      loaded.compiled = compile_with_own(loaded.model, *config);
      if (loaded.compiled) return;
      loaded.model.compile(about(path_, [&] { return read_compile_config(*config); }));
      loaded.compiled = true;
    } catch (const InvalidArgument& error) {
      loaded.notes.push_back(
          {.severity = Finding::Severity::warning,
           .where = path_,
           .what = std::string("loaded without its compile settings, because ") + error.what(),
           .remedy = "compile it again, or name a loss with --loss"});
    }
  }

  // True if the program has compiled the model, with losses and metrics of its own.
  bool compile_with_own(Model model, const Json& config) const {
    if (!options_.compile) return false;
    const Optimizer optimizer = about(path_, [&] { return read_optimizer(config); });
    return options_.compile(model, optimizer, dump_json(config));
  }

  // A file whose weights are not those of its own model is damaged.
  void find_weights_of(LoadedModel& loaded, const std::string& path) const {
    if (!options_.weights || loaded.model.network().inputs().empty()) return;
    try {
      FoundWeights found = find_weights(loaded.model, path, options_.optimizer_state);
      loaded.notes.insert(loaded.notes.end(), found.notes.begin(), found.notes.end());
      loaded.values = std::move(found.load);
      if (options_.values_later)
        loaded.values.run_numbers();
      else
        loaded.values.run();
    } catch (const InvalidArgument& error) {
      throw CorruptFile(error.what());
    }
  }

  std::string path_;
  LoadOptions options_;
};

// --- writing ----------------------------------------------------------------------------------

Json model_json(const Model& model) {
  Json json = network_to_json(model.network());
  if (model.compiled()) json["compile_config"] = compile_config(model.compile_options());
  return json;
}

void save_legacy(const Model& model, const std::string& path, const WeightValues& values) {
  refuse_layer_files(model.network(), path);
  const Json network = network_to_json(model.network());
  const Json config = {{"class_name", network["class_name"]}, {"config", network["config"]}};
  AtomicFile file(path);
  Hdf5Writer writer(file.temporary_path(), file.path());
  writer.set_attribute("", "keras_version", kKerasVersion);
  writer.set_attribute("", "backend", "tensorflow");
  writer.set_attribute("", "model_config", dump_json(config));
  if (model.compiled())
    writer.set_attribute("", "training_config",
                         dump_json(training_config(model.compile_options())));
  write_legacy_weights(writer, "model_weights", model.network(), values);
  if (model.compiled()) write_legacy_optimizer(writer, model.optimizer(), values);
  writer.finish();
  file.commit();
}

}  // namespace

LoadedModel load_model(const std::string& path, const LoadOptions& options) {
  return ModelReader(path, options).read();
}

void save_model(const Model& model, const std::string& path, const WeightValues& values) {
  if (path.ends_with(".json")) return write_file(path, dump_json(model_json(model)));
  if (model.network().inputs().empty())
    throw InvalidArgument(path + ": " + model.name() +
                          " has no weights yet; give its first layer an Input, or call it once");
  if (path.ends_with(".keras"))
    return save_archive(model, dump_json(model_json(model)), path, values);
  if (path.ends_with(".h5") || path.ends_with(".hdf5")) return save_legacy(model, path, values);
  throw InvalidArgument(path + ": a model is saved as .keras, .h5 or .json");
}

void save_archive(const Model& model, const std::string& config, const std::string& path,
                  const WeightValues& values) {
  check_free_space(path, saving_disk_bytes(model));
  KerasArchiveWriter writer(path);
  write_keras_weights(writer.weights(), model.network(),
                      model.compiled() ? model.optimizer() : Optimizer(), values);
  write_layer_files(writer, model.network());
  writer.finish(config, kMetadata);
}

int64_t file_bytes(const Model& model) {
  constexpr int64_t kTensor = int64_t{4} << 10, kConfigOfTensor = int64_t{4} << 10;
  constexpr int64_t kRest = int64_t{64} << 10;
  int64_t bytes = kRest;
  const auto add = [&](const Variables& variables) {
    for (const Variable& variable : variables)
      bytes += variable.spec().bytes() + kTensor + kConfigOfTensor;
  };
  add(model.weights());
  if (model.compiled()) add(model.optimizer()->variables());
  return bytes;
}

int64_t saving_disk_bytes(const Model& model) {
  return 2 * file_bytes(model);
}

int64_t saving_bytes(const Model& model) {
  constexpr int64_t kLibraries = int64_t{4} << 20;
  return kLibraries + writing_bytes(model);
}

int64_t writing_bytes(const Model& model) {
  constexpr int64_t kBuffers = int64_t{2} << 20, kTensor = int64_t{8} << 10;
  auto tensors = static_cast<int64_t>(model.weights().size());
  if (model.compiled()) tensors += static_cast<int64_t>(model.optimizer()->variables().size());
  return kBuffers + kTensor * tensors;
}

}  // namespace plimsoll
