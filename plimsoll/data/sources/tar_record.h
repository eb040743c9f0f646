// One record of a tar archive in WebDataset's naming: its files, in memory.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

// "shards/0001.left.PNG" is the key "shards/0001" and the extension "left.png". Both are empty
// where the file belongs to no record: it has no dot, or begins with one.
struct WebDatasetName {
  std::string key, extension;
};
WebDatasetName webdataset_name(std::string_view path);

struct TarRecordFile {
  std::string name, extension;
  std::span<const std::byte> contents;
};

// The files in `members`, the bytes of some whole members of `archive`. CorruptFile if they are
// not members.
std::vector<TarRecordFile> tar_record_files(std::span<const std::byte> members,
                                            const std::string& archive);

}  // namespace plimsoll
