#include "plimsoll/formats/numpy/npz.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/zip_archive.h"
#include "plimsoll/formats/bytes/unnamed_file.h"

namespace plimsoll {
namespace {

constexpr std::string_view kSuffix = ".npy";

void announce(const NpzOptions& options, const std::string& where, const std::string& why,
              int64_t bytes) {
  announce_writing_out(options.folder, options.announce, where, why, bytes);
}

NpzOptions with_folder(NpzOptions options) {
  if (options.folder.empty()) options.folder = temporary_folder();
  return options;
}

}  // namespace

NpzFile::NpzFile(const std::string& path, NpzOptions options)
    : NpzFile(file_source(path), std::move(options)) {}

NpzFile::NpzFile(ByteSourcePtr bytes, NpzOptions options)
    : bytes_(std::move(bytes)),
      options_(std::move(options)),
      archive_(std::make_shared<ZipArchive>(bytes_)) {}

std::vector<std::string> NpzFile::names() const {
  std::vector<std::string> names;
  for (const ZipEntry& entry : archive_->entries())
    if (entry.name.ends_with(kSuffix))
      names.push_back(entry.name.substr(0, entry.name.size() - kSuffix.size()));
  return names;
}

bool NpzFile::contains(std::string_view name) const {
  return archive_->has(std::string(name) + std::string(kSuffix));
}

NpyArray NpzFile::array(std::string_view name) const {
  const std::string wanted = std::string(name) + std::string(kSuffix);
  const auto entry = std::ranges::find(archive_->entries(), wanted, &ZipEntry::name);
  if (entry == archive_->entries().end()) {
    const std::string found = fmt::format("{}", fmt::join(names(), ", "));
    throw InvalidArgument(fmt::format("{}: expected an array '{}', found {}", path(), name,
                                      found.empty() ? "no array" : found));
  }
  return NpyArray(entry->compressed ? expand(wanted, entry->size) : in_place(wanted, entry->size));
}

ByteSourcePtr NpzFile::expand(const std::string& entry, int64_t bytes) const {
  const NpzOptions known = with_folder(options_);
  announce(known, path() + "/" + entry, "is compressed", bytes);
  return archive_->open(entry, known.folder);
}

ByteSourcePtr NpzFile::in_place(const std::string& entry, int64_t bytes) const {
  return bytes <= options_.checked_bytes ? archive_->open(entry, options_.folder)
                                         : archive_->open_unchecked(entry);
}

NpyArray readable_by_rows(const NpyArray& array, const NpzOptions& options) {
  if (array.is_row_order()) return array;
  const NpzOptions known = with_folder(options);
  announce(known, array.name(), "is stored column by column (Fortran order)", array.spec().bytes());
  return in_row_order(array, known.folder);
}

}  // namespace plimsoll
