// safetensors: a header of JSON, then named tensors (https://github.com/huggingface/safetensors).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plimsoll/base/file_descriptor.h"
#include "plimsoll/formats/bytes/byte_source.h"
#include "plimsoll/formats/bytes/stored_numbers.h"
#include "plimsoll/tensor/spec.h"

namespace plimsoll {

struct SafetensorsEntry {
  std::string name;
  StoredType type;
  Shape shape;
  int64_t offset = 0;  // from the beginning of the file
};

class SafetensorsFile {
 public:
  // Reads the header. Throws CorruptFile if it is damaged, or a tensor lies outside of the file,
  // upon another, or has a type that is not known.
  explicit SafetensorsFile(ByteSourcePtr source);

  const std::string& name() const { return source_->name(); }
  // In the order of their places in the file.
  const std::vector<SafetensorsEntry>& entries() const { return entries_; }
  // Null if there is none.
  const SafetensorsEntry* find(std::string_view name) const;
  // Fills `into` with all elements as `dtype` (see read_numbers).
  void read(const SafetensorsEntry& entry, DType dtype, std::span<std::byte> into) const;

 private:
  ByteSourcePtr source_;
  std::vector<SafetensorsEntry> entries_;
};

// Writes tensor by tensor; the same tensors give the same bytes.
class SafetensorsWriter {
 public:
  using Tensors = std::vector<std::pair<std::string, Spec>>;

  // A new file in the place of what is there (see AtomicFile for safety), with the header. Errors
  // call it `name` (empty: by its path).
  SafetensorsWriter(const std::string& path, const Tensors& tensors, const std::string& name = {});

  // The next tensor's elements, in the order of `tensors`.
  void append(std::span<const std::byte> elements);

 private:
  FileDescriptor file_;
  int64_t size_ = 0;
};

}  // namespace plimsoll
