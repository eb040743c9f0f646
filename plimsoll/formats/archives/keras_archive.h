// The .keras file of Keras 3: a zip archive of config.json (architecture and compile settings),
// metadata.json (version and date), model.weights.h5, and files that layers keep under assets/.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/formats/archives/zip_archive.h"
#include "plimsoll/formats/hdf5/hdf5_file.h"
#include "plimsoll/formats/hdf5/hdf5_writer.h"

namespace plimsoll {

class KerasArchive {
 public:
  // Throws CorruptFile where the archive or its texts are damaged or missing.
  explicit KerasArchive(const std::string& path);
  explicit KerasArchive(ByteSourcePtr bytes);

  // Texts of JSON, not looked into.
  const std::string& config() const { return config_; }
  const std::string& metadata() const { return metadata_; }
  // Checks the entry and reads what it holds but the tensors, which are read from the archive when
  // they are asked for.
  Hdf5File weights() const;
  // A file that a layer keeps in the archive, "assets/layers/string_lookup/vocabulary.txt".
  // CorruptFile if it is missing, damaged, or larger than max_bytes.
  std::string asset(const std::string& name, int64_t max_bytes) const {
    return archive_.read(name, max_bytes);
  }

 private:
  std::string folder_;
  ZipArchive archive_;
  std::string config_, metadata_;
};

// Writes one, whole or not at all; the same contents give the same bytes.
class KerasArchiveWriter {
 public:
  // Throws IoError where the folder cannot be written.
  explicit KerasArchiveWriter(const std::string& path);

  // What is written here goes to a file beside the archive first, which finish() copies.
  Hdf5Writer& weights() { return weights_; }
  void add_asset(const std::string& name, std::string text) {
    assets_.emplace_back(name, std::move(text));
  }
  void finish(const std::string& config, const std::string& metadata);

 private:
  AtomicFile archive_, weights_file_;
  Hdf5Writer weights_;
  std::vector<std::pair<std::string, std::string>> assets_;  // names and contents
};

}  // namespace plimsoll
