#include "plimsoll/data/sources/tar_record.h"

#include <algorithm>
#include <cstring>

#include "plimsoll/formats/archives/tar.h"

namespace plimsoll {
namespace {

// Bytes that the caller owns.
class View final : public ByteSource {
 public:
  View(std::span<const std::byte> bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  const std::string& name() const override { return name_; }
  int64_t size() const override { return static_cast<int64_t>(bytes_.size()); }
  void read_at(int64_t offset, std::span<std::byte> into) override {
    if (!into.empty()) std::memcpy(into.data(), bytes_.data() + offset, into.size());
  }

 private:
  std::span<const std::byte> bytes_;
  const std::string& name_;
};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

WebDatasetName webdataset_name(std::string_view path) {
  const size_t slash = path.rfind('/');
  const size_t base = slash == path.npos ? 0 : slash + 1;
  const size_t dot = path.find('.', base);
  if (dot == path.npos || dot == base) return {};
  WebDatasetName name{std::string(path.substr(0, dot)), std::string(path.substr(dot + 1))};
  std::ranges::transform(name.extension, name.extension.begin(), lower);
  return name;
}

std::vector<TarRecordFile> tar_record_files(std::span<const std::byte> members,
                                            const std::string& archive) {
  View view(members, archive);
  TarReader reader(view, TarReader::Extent::part);
  std::vector<TarRecordFile> files;
  while (reader.next()) {
    const TarMember& member = reader.member();
    WebDatasetName name = webdataset_name(member.name);
    if (name.key.empty()) continue;
    files.push_back(
        {member.name, std::move(name.extension),
         members.subspan(static_cast<size_t>(member.offset), static_cast<size_t>(member.size))});
  }
  return files;
}

}  // namespace plimsoll
