#include "plimsoll/train/files/not_a_model.h"

#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/zip_archive.h"
#include "plimsoll/train/files/file_kind.h"
#include "plimsoll/train/files/model_folder.h"

namespace plimsoll {
namespace {

std::string first_bytes(const std::string& path) {
  const ByteSourcePtr source = file_source(path);
  std::string head(static_cast<size_t>(std::min<int64_t>(source->size(), 16)), ' ');
  source->read_at(0, std::as_writable_bytes(std::span(head)));
  return head;
}

bool is_image(const std::string& head) {
  return head.starts_with("\x89PNG") || head.starts_with("\xff\xd8\xff") ||
         head.starts_with("GIF8") || head.starts_with("BM") ||
         (head.starts_with("RIFF") &&
          head.substr(std::min<size_t>(8, head.size())).starts_with("WEBP"));
}

bool is_archive_of_arrays(const std::string& path) {
  const ZipArchive archive(path);
  return std::ranges::any_of(archive.entries(), [](const ZipEntry& entry) {
    return std::string_view(entry.name).ends_with(".npy");
  });
}

bool has_suffix(const std::string& path, std::initializer_list<const char*> suffixes) {
  return std::ranges::any_of(suffixes, [&](const char* suffix) { return path.ends_with(suffix); });
}

}  // namespace

std::string what_else_it_is(const std::string& path) {
  const std::string head = first_bytes(path);
  if (head.empty()) return " but empty";
  if (head.starts_with("\x93NUMPY")) return " but a NumPy array";
  if (head.starts_with("PK"))
    return is_archive_of_arrays(path) ? " but arrays of NumPy (.npz)" : " but another zip archive";
  if (kind_of_file(path) == FileKind::safetensors)
    return " but weights alone (read them with plimsoll convert and --model)";
  if (is_image(head)) return " but an image";
  if (has_suffix(path, {".csv", ".tsv", ".jsonl", ".tfrecord", ".tar"})) return " but data";
  return "";
}

bool looks_like_model(const std::string& path) {
  try {
    if (is_folder(path)) {
      find_model_folder(path);
      return true;
    }
    if (path.ends_with(".keras")) return true;
    switch (kind_of_file(path)) {
      case FileKind::zip:
        return ZipArchive(path).has("config.json");
      case FileKind::hdf5:
        return has_suffix(path, {".h5", ".hdf5"});
      case FileKind::json:
        return path.ends_with(".json");
      default:
        return false;
    }
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace plimsoll
