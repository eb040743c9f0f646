#include "plimsoll/data/sources/tar_source.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/file_set.h"
#include "plimsoll/data/sources/record_offsets.h"
#include "plimsoll/data/sources/tar_field.h"
#include "plimsoll/formats/archives/tar.h"
#include "plimsoll/formats/bytes/byte_range.h"

namespace plimsoll {
namespace {

// A record reaches from its first file to the next record's.
void index_archive(ByteSource& archive, int64_t most_bytes, RecordOffsets& offsets) {
  TarReader reader(archive);
  std::string last;
  int64_t begin = 0, end = 0;
  while (reader.next()) {
    const TarMember& member = reader.member();
    std::string key = webdataset_name(member.name).key;
    if (key.empty() && last.empty()) continue;
    if (!key.empty() && key != last) {
      offsets.add(begin = member.begin);
      last = std::move(key);
    }
    end = member.end;
    if (end - begin > most_bytes)
      throw CorruptFile(archive.name() + "/" + last + ": the record has more than " +
                        format_bytes(most_bytes));
  }
  offsets.end_file(end);
}

RecordOffsets index_of(const FileSet& files, const TarSourceOptions& options) {
  RecordOffsets offsets;
  for (size_t i = 0; i < files.size(); ++i)
    index_archive(*files.open(i), options.record_bytes, offsets);
  offsets.shrink();
  if (offsets.size() == 0)
    throw InvalidArgument(files.path(0) +
                          ": has no file with a name like 0001.jpg, from which records are made");
  return offsets;
}

class TarRecords final : public Source {
 public:
  TarRecords(const std::vector<std::string>& paths, const TarSourceOptions& options)
      : files_(paths, "tar_source"), offsets_(index_of(files_, options)) {
    if (options.fields.empty()) throw InvalidArgument(paths[0] + ": expected at least one field");
    const EncodedImage image{options.image_size, options.color_mode, options.limits};
    for (const std::string& extension : options.fields) readers_.emplace_back(extension, image);
    for (const TarField& field : readers_)
      fields_.push_back(field.is_array() ? first_array(field) : field.spec());
  }

  int64_t size() const override { return offsets_.size(); }
  const Specs& fields() const override { return fields_; }

  std::string name(RecordId id) const override {
    const RecordOffsets::Extent place = offsets_[id.number];
    const std::string& archive = files_.path(place.file);
    try {
      const ByteSourcePtr part =
          part_of(files_.open(place.file), place.offset, place.bytes, archive);
      TarReader reader(*part, TarReader::Extent::part);
      if (reader.next()) return archive + "/" + webdataset_name(reader.member().name).key;
    } catch (const Error&) {  // reading the record reports why
    }
    return fmt::format("{}[{}]", archive, place.number);
  }

  void read(RecordId id, std::span<std::byte* const> into) const override {
    const Record record(*this, id.number);
    for (size_t i = 0; i < readers_.size(); ++i) {
      const TarRecordFile& file = record.file(readers_[i]);
      readers_[i].read(file, record.archive + "/" + file.name, fields_[i], into[i]);
    }
  }

 private:
  // A record's files, read at once.
  struct Record {
    Record(const TarRecords& source, int64_t number) {
      const RecordOffsets::Extent place = source.offsets_[number];
      archive = source.files_.path(place.file);
      const auto size = static_cast<size_t>(place.bytes);
      bytes = std::make_unique_for_overwrite<std::byte[]>(size);
      const std::span<std::byte> all(bytes.get(), size);
      source.files_.open(place.file)->read_at(place.offset, all);
      files = tar_record_files(all, archive);
      if (files.empty())
        throw CorruptFile(
            fmt::format("{}[{}]: has changed since it was opened", archive, place.number));
    }

    const TarRecordFile& file(const TarField& field) const {
      if (const TarRecordFile* found = field.find(files)) return *found;
      std::string names;
      for (const TarRecordFile& other : files) names += (names.empty() ? "" : ", ") + other.name;
      throw CorruptFile(archive + "/" + webdataset_name(files[0].name).key + ": has no file for '" +
                        field.extension() + "' (it has " + names + ")");
    }

    std::string archive;
    std::unique_ptr<std::byte[]> bytes;
    std::vector<TarRecordFile> files;
  };

  Spec first_array(const TarField& field) const {
    const Record first(*this, 0);
    const TarRecordFile& file = first.file(field);
    return field.array_spec(file, first.archive + "/" + file.name);
  }

  FileSet files_;
  RecordOffsets offsets_;
  std::vector<TarField> readers_;
  Specs fields_;
};

}  // namespace

SourcePtr tar_source(const std::vector<std::string>& paths, const TarSourceOptions& options) {
  return std::make_shared<TarRecords>(paths, options);
}

}  // namespace plimsoll
