#include "plimsoll/data/kinds/data_kind_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace plimsoll {
namespace kinds {

// Each is defined in the file of its name: csv_kind.cc, ….
extern const DataKind hdf5, npz, npy, npy_pair, zip_images, tfrecord, tar, idx, csv, image_table,
    jsonl, image_files, masks, text_folder, images;

}  // namespace kinds

namespace {

constexpr std::array kKinds = {
    &kinds::npz,          // by its first bytes
    &kinds::npy,          // by its first bytes
    &kinds::npy_pair,     // by their first bytes
    &kinds::hdf5,         // by its first bytes
    &kinds::zip_images,   // by its first bytes and its entries
    &kinds::tfrecord,     // by name, as all below
    &kinds::tar,          //
    &kinds::idx,          //
    &kinds::image_table,  // before csv: a table that names images
    &kinds::csv,          //
    &kinds::jsonl,        //
    &kinds::image_files,  //
    &kinds::masks,        // a folder with folders of these names
    &kinds::images,       // a folder of which most is images
    &kinds::text_folder,  // after images: a folder of images with captions is images
};

template <class Choose>
std::string listed_kinds(const char* last_word, const Choose& choose) {
  Names files;
  for (const DataKind* kind : kKinds)
    if (choose(*kind) && !contains(files, std::string(kind->files)))
      files.emplace_back(kind->files);
  if (files.size() < 2) return files.empty() ? "" : files[0];
  const std::string last = files.back();
  files.pop_back();
  return fmt::format("{} {} {}", fmt::join(files, ", "), last_word, last);
}

}  // namespace

std::span<const DataKind* const> data_kinds() {
  return kKinds;
}

std::string kinds_text(const char* last_word) {
  return listed_kinds(last_word, [](const DataKind&) { return true; });
}

std::string kinds_taking(DataOption option) {
  return listed_kinds("and", [&](const DataKind& kind) { return kind.takes.has(option); });
}

}  // namespace plimsoll
