// What a run knows its data by.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/base/xxh3.h"
#include "plimsoll/train/checkpoints/run_identity.h"

namespace plimsoll {
namespace {

// Records are hashed in so many parts, so that a change has a place. All of them are read, or of
// large data so many.
constexpr int64_t kParts = 64, kMostRecords = 1 << 16, kMostRecordBytes = 64 << 20;
constexpr int64_t kNamesLookedAt = 1 << 20;
constexpr int64_t kRunBytes = 256 << 10;  // read at once

std::string text_of(const Specs& fields) {
  std::string text;
  for (const Spec& field : fields) text += (text.empty() ? "" : ", ") + field.to_string();
  return text;
}

int64_t record_bytes(const Source& source) {
  int64_t bytes = 1;
  for (const Spec& field : source.fields()) bytes += field.bytes();
  return bytes;
}

// Reads records into one place and hashes them there.
class HashedRecords {
 public:
  explicit HashedRecords(const Source& source)
      : source_(source), most_(std::max<int64_t>(1, kRunBytes / record_bytes(source))) {
    for (const Spec& field : source.fields()) {
      room_.push_back(std::make_shared<Storage>(field.bytes() * most_));
      places_.push_back(room_.back()->data());
    }
  }

  // Records [begin, end).
  void add(int64_t begin, int64_t end, Xxh3& to) {
    for (; begin < end; begin += most_) add_run(begin, std::min(most_, end - begin), to);
  }

 private:
  // A record that cannot be read is known by its error.
  void add_run(int64_t first, int64_t count, Xxh3& to) {
    std::vector<std::byte*> into = places_;
    try {
      source_.read_run({first, 0}, count, into);
    } catch (const Error& error) {
      if (count == 1) return to.add(error.what());
      for (int64_t i = 0; i < count; ++i) add_run(first + i, 1, to);
      return;
    }
    for (size_t i = 0; i < places_.size(); ++i) {
      const auto bytes = static_cast<size_t>(source_.fields()[i].bytes() * count);
      to.add(std::string_view(reinterpret_cast<const char*>(places_[i]), bytes));
    }
  }

  const Source& source_;
  const int64_t most_;  // records that are read at once
  std::vector<StoragePtr> room_;
  std::vector<std::byte*> places_;
};

struct RecordRange {
  int64_t begin, end;  // the records before `end`

  int64_t size() const { return end - begin; }
};

// Of all records of the range, or of `count`, the first and the last among them.
std::string hash_of_records(HashedRecords& records, const RecordRange& range, int64_t count) {
  Xxh3 hash;
  if (count >= range.size()) records.add(range.begin, range.end, hash);
  for (int64_t i = 0; i < count && count < range.size(); ++i) {
    const int64_t at = range.begin + (count < 2 ? 0 : i * (range.size() - 1) / (count - 1));
    records.add(at, at + 1, hash);
  }
  return hash.text();
}

std::string name_of_records(const Source& source, const RecordRange& range) {
  if (range.size() == 1) return source.name({range.begin, 0});
  return fmt::format("{} to {}", source.name({range.begin, 0}), source.name({range.end - 1, 0}));
}

std::string hash_of_names(const Source& source) {
  Xxh3 hash;
  for (int64_t i = 0; i < std::min(source.size(), kNamesLookedAt); ++i) {
    hash.add(source.name({i, 0}));
    hash.add("\n");
  }
  return hash.text();
}

}  // namespace

void describe_data(RunIdentity& identity, const std::string& what, const Source& source) {
  identity[what + ": fields"] = text_of(source.fields());
  if (source.stream() != nullptr) return;
  const int64_t size = source.size();
  identity[what + ": records"] = fmt::format("{}", size);
  identity[what + ": names of the records"] = hash_of_names(source);
  if (std::string files = source.files_hash(); !files.empty())
    identity[what + ": files"] = std::move(files);
  if (size == 0) return;
  HashedRecords records(source);
  const int64_t parts = std::min(size, kParts);
  const int64_t most = std::min(kMostRecords, kMostRecordBytes / record_bytes(source)) / parts;
  for (int64_t i = 0; i < parts; ++i) {
    const RecordRange range{i * size / parts, (i + 1) * size / parts};
    identity[fmt::format("{}: contents of {}", what, name_of_records(source, range))] =
        hash_of_records(records, range, std::max<int64_t>(most, 1));
  }
}

// The longest bucket is the source, and described as one; of each other, all is one hash.
void describe_data(RunIdentity& identity, const std::string& what, const Dataset& data) {
  describe_data(identity, what, *data.source);
  for (size_t i = 0; i + 1 < data.buckets.size(); ++i) {
    RunIdentity bucket;
    describe_data(bucket, "", *data.buckets[i]);
    Xxh3 hash;
    for (const auto& [name, value] : bucket) hash.add(name + value);
    identity[fmt::format("{}: bucket {}", what, i + 1)] = hash.text();
  }
}

}  // namespace plimsoll
