// Writing of zip archives: entries are stored as they are, under a fixed date, so that the same
// contents give the same bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/file_descriptor.h"
#include "plimsoll/formats/archives/zip_directory.h"

namespace plimsoll {

class ZipWriter {
 public:
  // The archive will be at `path`, in the place of what is there (see AtomicFile for safety).
  // Errors call it `name` (empty: by its path).
  explicit ZipWriter(const std::string& path, const std::string& name = {});

  void add(const std::string& entry, std::string_view contents);
  // The contents of a file, which must not change before finish().
  void add_file(const std::string& entry, const std::string& path);
  // Writes everything; without this, nothing is. After an error, the file is not whole.
  void finish();

 private:
  struct Part {
    std::string entry;
    std::string contents;
    std::string path;  // of a file with the contents; empty: they are here
  };

  void add_part(Part part);
  void write_part(FileDescriptor& archive, const Part& part);
  void write_directory(FileDescriptor& archive);

  std::string path_, name_;
  std::vector<Part> parts_;
  std::vector<ZipEntry> entries_;  // that are written
  int64_t end_ = 0;                // of what is written
};

}  // namespace plimsoll
