#include "plimsoll/formats/numpy/npz_writer.h"

#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/base/file_descriptor.h"
#include "plimsoll/base/free_space.h"
#include "plimsoll/formats/archives/zip_writer.h"
#include "plimsoll/formats/numpy/npy_header.h"

namespace plimsoll {

// One array in a file that is never given its name.
struct NpzWriter::Part {
  Part(const std::string& path, std::string array_name, const Spec& array_spec)
      : name(std::move(array_name)),
        spec(array_spec),
        file(path + ".part"),
        descriptor(file.open()) {
    const std::string header = npy_header_text(spec);
    descriptor.write_at(0, std::as_bytes(std::span(header)));
    begin = end = static_cast<int64_t>(header.size());
  }

  std::string name;
  Spec spec;
  AtomicFile file;
  FileDescriptor descriptor;
  int64_t begin = 0, end = 0;  // of the elements so far
};

NpzWriter::NpzWriter(const std::string& path, const std::vector<NamedSpec>& arrays) : file_(path) {
  int64_t bytes = 0;
  for (const auto& [name, spec] : arrays) bytes += spec.bytes();
  check_free_space(path, 2 * bytes);  // finish() copies the parts
  for (const auto& [name, spec] : arrays)
    parts_.push_back(std::make_unique<Part>(path, name, spec));
}

NpzWriter::~NpzWriter() = default;

void NpzWriter::append(size_t i, std::span<const std::byte> bytes) {
  Part& part = *parts_[i];
  part.descriptor.write_at(part.end, bytes);
  part.end += static_cast<int64_t>(bytes.size());
}

void NpzWriter::finish() {
  ZipWriter zip(file_.temporary_path(), file_.path());
  for (const auto& part : parts_) {
    if (part->end - part->begin != part->spec.bytes())
      throw InvalidArgument(fmt::format("npz: expected the {} bytes of {}, {}, got {}",
                                        part->spec.bytes(), part->name, part->spec.to_string(),
                                        part->end - part->begin));
    zip.add_file(part->name + ".npy", part->file.temporary_path());
  }
  zip.finish();
  file_.commit();
}

}  // namespace plimsoll
