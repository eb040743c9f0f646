#include "plimsoll/formats/archives/safetensors.h"

#include <fmt/format.h>

#include <fcntl.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/json.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

// The format's own limit.
constexpr int64_t kMaxHeaderBytes = 100'000'000;

const std::map<std::string, StoredType, std::less<>>& types_by_name() {
  using enum StoredType::Kind;
  static const std::map<std::string, StoredType, std::less<>> types = {
      {"F64", {real, 8}},
      {"F32", {real, 4}},
      {"F16", {real, 2}},
      {"BF16", {bfloat16, 2}},
      {"I64", {signed_integer, 8}},
      {"I32", {signed_integer, 4}},
      {"I16", {signed_integer, 2}},
      {"I8", {signed_integer, 1}},
      {"U64", {unsigned_integer, 8}},
      {"U32", {unsigned_integer, 4}},
      {"U16", {unsigned_integer, 2}},
      {"U8", {unsigned_integer, 1}},
      {"BOOL", {boolean, 1}}};
  return types;
}

const char* name_of_type(DType dtype) {
  switch (dtype) {
    case DType::int32:
      return "I32";
    case DType::int64:
      return "I64";
    case DType::uint8:
      return "U8";
    case DType::boolean:
      return "BOOL";
    default:
      return "F32";
  }
}

class HeaderReader {
 public:
  explicit HeaderReader(ByteSource& source) : source_(source) {}

  std::vector<SafetensorsEntry> read() {
    const Json header = read_header();
    if (!header.is_object()) refuse("the header", "is not a JSON object");
    for (const auto& [name, entry] : header.items())
      if (name != "__metadata__") add(name, entry);
    check_places();
    return std::move(entries_);
  }

 private:
  [[noreturn]] void refuse(const std::string& tensor, const std::string& why) const {
    throw CorruptFile(source_.name() + ": " + tensor.substr(0, 100) + " " + why);
  }

  Json read_header() {
    std::array<std::byte, 8> raw{};
    check_range(source_, 0, raw.size(), "the size of the header");
    source_.read_at(0, raw);
    uint64_t size = 0;
    for (size_t i = raw.size(); i-- > 0;) size = size << 8 | std::to_integer<uint64_t>(raw[i]);
    if (size > kMaxHeaderBytes)
      refuse("the header",
             fmt::format("is said to take {} bytes, at most {} are read", size, kMaxHeaderBytes));
    check_range(source_, raw.size(), size, "the header");
    std::string text(size, ' ');
    source_.read_at(raw.size(), std::as_writable_bytes(std::span(text)));
    begin_ = static_cast<int64_t>(raw.size() + size);
    return parse_json(text, source_.name(), {.max_bytes = kMaxHeaderBytes, .max_depth = 4});
  }

  void add(const std::string& name, const Json& entry) {
    const auto part = [&](const char* key) -> const Json& {
      if (!entry.is_object() || !entry.contains(key)) refuse(name, std::string("has no ") + key);
      return entry[key];
    };
    const auto type = part("dtype").is_string()
                          ? types_by_name().find(part("dtype").get_ref<const std::string&>())
                          : types_by_name().end();
    if (type == types_by_name().end()) refuse(name, "has an unknown dtype");
    const Shape shape = shape_of(name, part("shape"));
    const Json& offsets = part("data_offsets");
    if (!offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned() ||
        !offsets[1].is_number_unsigned())
      refuse(name, "does not have two offsets");
    const auto begin = offsets[0].get<uint64_t>(), end = offsets[1].get<uint64_t>();
    const auto most = static_cast<uint64_t>(source_.size() - begin_);
    if (begin > end || end > most)
      refuse(name, fmt::format("has offsets {} to {} of {} bytes", begin, end, most));
    if (static_cast<int64_t>(end - begin) != shape.elements() * type->second.size)
      refuse(name, fmt::format("has shape {} in {} bytes", shape.to_string(), end - begin));
    entries_.push_back({name, type->second, shape, begin_ + static_cast<int64_t>(begin)});
  }

  Shape shape_of(const std::string& name, const Json& dims) {
    if (!dims.is_array() || dims.size() > Shape::kMaxRank)
      refuse(name, fmt::format("has no shape of at most {} dimensions", Shape::kMaxRank));
    Shape shape;
    uint64_t elements = 1;
    for (const Json& dim : dims) {
      constexpr uint64_t kMost = uint64_t{1} << 44;
      if (!dim.is_number_unsigned()) refuse(name, "has a shape that is not of whole numbers");
      const auto size = dim.get<uint64_t>();
      if (size > kMost || (size > 0 && elements > kMost / size))
        refuse(name, "has a shape that is too large");
      elements *= size;
      shape.push_back(static_cast<int64_t>(size));
    }
    return shape;
  }

  void check_places() {
    std::ranges::stable_sort(entries_, {}, &SafetensorsEntry::offset);
    int64_t end = begin_;
    for (const SafetensorsEntry& entry : entries_) {
      if (entry.offset != end) refuse(entry.name, "does not begin where the tensor before it ends");
      end += entry.shape.elements() * entry.type.size;
    }
    if (end != source_.size())
      refuse("the last tensor",
             fmt::format("ends at byte {}, the file at byte {}", end, source_.size()));
  }

  ByteSource& source_;
  int64_t begin_ = 0;  // of the tensors
  std::vector<SafetensorsEntry> entries_;
};

}  // namespace

SafetensorsFile::SafetensorsFile(ByteSourcePtr source)
    : source_(std::move(source)), entries_(HeaderReader(*source_).read()) {}

const SafetensorsEntry* SafetensorsFile::find(std::string_view name) const {
  const auto found = std::ranges::find(entries_, name, &SafetensorsEntry::name);
  return found == entries_.end() ? nullptr : &*found;
}

void SafetensorsFile::read(const SafetensorsEntry& entry, DType dtype,
                           std::span<std::byte> into) const {
  read_numbers(*source_, entry.offset, entry.type, dtype, into);
}

SafetensorsWriter::SafetensorsWriter(const std::string& path, const Tensors& tensors,
                                     const std::string& name)
    : file_(path, O_WRONLY | O_CREAT | O_TRUNC, 0666, name) {
  Json header = Json::object();
  int64_t at = 0;
  for (const auto& [tensor, spec] : tensors) {
    if (header.contains(tensor) || tensor == "__metadata__")
      throw InvalidArgument(
          fmt::format("{}: the name '{}' cannot be written twice", file_.path(), tensor));
    header[tensor] = {{"dtype", name_of_type(spec.dtype)},
                      {"shape", spec.shape.dims()},
                      {"data_offsets", {at, at + spec.bytes()}}};
    at += spec.bytes();
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // so that the tensors are aligned
  std::string size(8, '\0');
  for (size_t i = 0; i < size.size(); ++i) size[i] = static_cast<char>(text.size() >> (8 * i));
  append(std::as_bytes(std::span(size.append(text))));
}

void SafetensorsWriter::append(std::span<const std::byte> elements) {
  file_.write_at(size_, elements);
  size_ += static_cast<int64_t>(elements.size());
}

}  // namespace plimsoll
