#include "plimsoll/formats/hdf5/hdf5_writer.h"

#include <fcntl.h>

#include <algorithm>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/hdf5/hdf5_encoding.h"
#include "plimsoll/formats/hdf5/hdf5_members.h"
#include "plimsoll/formats/hdf5/hdf5_texts.h"

namespace plimsoll {

// A group or a dataset; what describes it is written by finish().
struct Hdf5Writer::Object {
  bool is_dataset = false;
  std::vector<hdf5::Message> messages;
  std::map<std::string, hdf5::TextAttribute> attributes;
  std::map<std::string, Object> members;

  void encode_attributes(hdf5::Texts& texts) {
    for (const auto& [name, attribute] : attributes)
      messages.push_back(texts.append(name, attribute));
    for (auto& [name, member] : members) member.encode_attributes(texts);
  }

  // Gives the address of its header.
  int64_t append_to(hdf5::Metadata& metadata) const {
    std::vector<hdf5::Message> all = messages;
    if (!is_dataset) {
      std::map<std::string, int64_t> headers;
      for (const auto& [name, member] : members) headers[name] = member.append_to(metadata);
      const hdf5::MembersPlace place = hdf5::append_members(metadata, headers);
      all.insert(all.begin(), hdf5::symbol_table(place.tree, place.names));
    }
    return metadata.append(hdf5::object_header(all));
  }
};

Hdf5Writer::Hdf5Writer(const std::string& path, const std::string& name)
    : file_(path, O_WRONLY | O_CREAT | O_TRUNC, 0666, name),
      root_(std::make_unique<Object>()),
      end_(hdf5::kSuperblockBytes) {}

Hdf5Writer::~Hdf5Writer() = default;

void Hdf5Writer::make_group(const std::string& group) {
  group_at(group);
}

Hdf5Writer::Object& Hdf5Writer::group_at(const std::string& path) {
  Object* group = root_.get();
  for (size_t begin = 0, end = 0; begin < path.size(); begin = end + 1) {
    end = std::min(path.find('/', begin), path.size());
    if (end == begin) continue;
    group = &group->members[path.substr(begin, end - begin)];
    if (group->is_dataset) refuse(path.substr(0, end), "it is a dataset, not a group");
  }
  return *group;
}

void Hdf5Writer::write(const std::string& dataset, const Spec& spec,
                       std::span<const std::byte> elements) {
  write(dataset, hdf5::number_type(spec.dtype), spec.shape, elements);
}

void Hdf5Writer::write(const std::string& dataset, std::span<const uint32_t> elements) {
  write(dataset, hdf5::unsigned_type(), {std::ssize(elements)}, std::as_bytes(elements));
}

void Hdf5Writer::write(const std::string& dataset, const std::string& type, const Shape& shape,
                       std::span<const std::byte> elements) {
  const size_t slash = dataset.rfind('/');
  Object& parent = group_at(slash == dataset.npos ? "" : dataset.substr(0, slash));
  const auto [made, is_new] = parent.members.try_emplace(dataset.substr(slash + 1));
  if (!is_new) refuse(dataset, "the name is taken");
  const int64_t address = elements.empty() ? hdf5::kNowhere : end_;
  made->second.is_dataset = true;
  made->second.messages = hdf5::dataset(type, shape, address, std::ssize(elements));
  file_.write_at(end_, elements);
  end_ += (std::ssize(elements) + 7) / 8 * 8;
}

void Hdf5Writer::set_attribute(const std::string& group, const std::string& name,
                               const std::string& text) {
  set_attribute(group, name, false, {text});
}

void Hdf5Writer::set_attribute(const std::string& group, const std::string& name,
                               const std::vector<std::string>& texts) {
  set_attribute(group, name, true, texts);
}

void Hdf5Writer::set_attribute(const std::string& group, const std::string& name, bool is_list,
                               const std::vector<std::string>& texts) {
  const std::string title = (group.empty() ? "/" : group) + ", attribute " + name;
  hdf5::TextAttribute attribute{is_list, texts};
  if (hdf5::bytes_of_message(name, attribute) > hdf5::kMostMessageBytes)
    refuse(title, "it has more than 64 KiB");
  if (!group_at(group).attributes.emplace(name, std::move(attribute)).second)
    refuse(title, "the name is taken");
}

// What describes the objects comes after all elements, and the first bytes are written last: until
// then, this is no HDF5 file.
void Hdf5Writer::finish() {
  hdf5::Metadata metadata(end_);
  hdf5::Texts texts(metadata);
  root_->encode_attributes(texts);
  texts.finish();
  const int64_t root = root_->append_to(metadata);
  file_.write_at(end_, std::as_bytes(std::span(metadata.bytes())));
  const std::string first = hdf5::superblock(root, metadata.end());
  file_.write_at(0, std::as_bytes(std::span(first)));
}

void Hdf5Writer::refuse(const std::string& object, const std::string& reason) const {
  throw IoError(file_.path() + ": " + object + " cannot be written: " + reason);
}

}  // namespace plimsoll
