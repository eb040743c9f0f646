#include "plimsoll/formats/numpy/npy_writer.h"

#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/base/free_space.h"
#include "plimsoll/formats/numpy/npy_header.h"

namespace plimsoll {

NpyWriter::NpyWriter(const std::string& path, const Spec& spec)
    : file_(path), descriptor_(file_.open()), spec_(spec) {
  check_free_space(path, spec.bytes());
  const std::string header = npy_header_text(spec);
  descriptor_.write_at(0, std::as_bytes(std::span(header)));
  begin_ = end_ = static_cast<int64_t>(header.size());
}

void NpyWriter::append(std::span<const std::byte> bytes) {
  descriptor_.write_at(end_, bytes);
  end_ += static_cast<int64_t>(bytes.size());
}

void NpyWriter::finish() {
  if (end_ - begin_ != spec_.bytes())
    throw InvalidArgument(fmt::format("npy: expected the {} bytes of {}, got {}", spec_.bytes(),
                                      spec_.to_string(), end_ - begin_));
  file_.commit();
}

void write_npy(const std::string& path, const HostTensor& tensor) {
  NpyWriter writer(path, tensor.spec);
  writer.append({tensor.storage->data(), static_cast<size_t>(tensor.spec.bytes())});
  writer.finish();
}

}  // namespace plimsoll
