#include "plimsoll/data/sources/tfrecord_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/feature_value.h"
#include "plimsoll/data/sources/file_set.h"
#include "plimsoll/data/sources/record_offsets.h"

namespace plimsoll {
namespace {

RecordOffsets index_of(const FileSet& files, const TfRecordLimits& limits) {
  RecordOffsets offsets;
  for (size_t i = 0; i < files.size(); ++i) {
    const ByteSourcePtr file = files.open(i);
    index_tfrecords(
        *file, [&](int64_t offset) { offsets.add(offset); }, limits);
    offsets.end_file(file->size());
  }
  offsets.shrink();
  return offsets;
}

class TfRecords final : public Source {
 public:
  TfRecords(const std::vector<std::string>& paths, FeatureSpec features,
            const TfRecordLimits& limits)
      : files_(paths, "tfrecord_source"),
        features_(std::move(features)),
        offsets_(index_of(files_, limits)) {
    if (features_.empty()) throw InvalidArgument(paths[0] + ": expected at least one feature");
    for (const FeatureField& feature : features_) fields_.push_back(spec_of(feature));
  }

  int64_t size() const override { return offsets_.size(); }
  const Specs& fields() const override { return fields_; }
  std::string name(RecordId id) const override { return name(offsets_[id.number]); }

  void read(RecordId id, std::span<std::byte* const> into) const override {
    const RecordOffsets::Extent place = offsets_[id.number];
    const auto bytes =
        std::make_unique_for_overwrite<std::byte[]>(static_cast<size_t>(place.bytes));
    const std::span<std::byte> record(bytes.get(), static_cast<size_t>(place.bytes));
    files_.open(place.file)->read_at(place.offset, record);
    const std::string record_name = name(place);
    const auto found = features_in(tfrecord_data(record, record_name), record_name);
    for (size_t i = 0; i < features_.size(); ++i)
      write_feature(features_[i], found[i], record_name, into[i]);
  }

 private:
  std::string name(const RecordOffsets::Extent& place) const {
    return fmt::format("{}[{}]", files_.path(place.file), place.number);
  }

  std::vector<TfFeature> features_in(std::span<const std::byte> example,
                                     const std::string& name) const {
    std::vector<TfFeature> found(features_.size());
    for_each_feature(example, name, [&](std::string_view key, const TfFeature& feature) {
      for (size_t i = 0; i < features_.size(); ++i)
        if (features_[i].name == key) found[i] = feature;
    });
    return found;
  }

  FileSet files_;
  FeatureSpec features_;
  RecordOffsets offsets_;
  Specs fields_;
};

}  // namespace

SourcePtr tfrecord_source(const std::vector<std::string>& paths, const FeatureSpec& features,
                          const TfRecordLimits& limits) {
  return std::make_shared<TfRecords>(paths, features, limits);
}

}  // namespace plimsoll
