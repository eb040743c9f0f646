#include "plimsoll/formats/archives/keras_archive.h"

#include <filesystem>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/zip_writer.h"

namespace plimsoll {
namespace {

constexpr const char* kConfig = "config.json";
constexpr const char* kMetadata = "metadata.json";
constexpr const char* kWeights = "model.weights.h5";
constexpr int64_t kMaxTextBytes = int64_t{64} << 20;

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

KerasArchive::KerasArchive(const std::string& path) : KerasArchive(file_source(path)) {}

KerasArchive::KerasArchive(ByteSourcePtr bytes)
    : folder_(folder_of(bytes->name())),
      archive_(std::move(bytes)),
      config_(archive_.read(kConfig, kMaxTextBytes)),
      metadata_(archive_.read(kMetadata, kMaxTextBytes)) {}

Hdf5File KerasArchive::weights() const {
  if (!archive_.has(kWeights) && archive_.has("model.weights.npz"))
    throw CorruptFile(archive_.name() +
                      ": keeps its weights as npz, expected model.weights.h5; save it with "
                      "model.save()");
  return read_hdf5(archive_.open(kWeights, folder_));
}

KerasArchiveWriter::KerasArchiveWriter(const std::string& path)
    : archive_(path), weights_file_(path), weights_(weights_file_.temporary_path(), path) {}

void KerasArchiveWriter::finish(const std::string& config, const std::string& metadata) {
  weights_.finish();
  ZipWriter archive(archive_.temporary_path(), archive_.path());
  archive.add(kMetadata, metadata);
  archive.add(kConfig, config);
  archive.add_file(kWeights, weights_file_.temporary_path());
  for (const auto& [name, text] : assets_) archive.add(name, text);
  archive.finish();
  archive_.commit();
}

}  // namespace plimsoll
