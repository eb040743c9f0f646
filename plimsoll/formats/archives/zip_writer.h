// Writing of zip archives: entries are stored as they are, under a fixed date, so that the same
// contents give the same bytes.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct zip;
struct zip_source;

namespace plimsoll {

class ZipWriter {
 public:
  // The archive will be at `path`, in the place of what is there (see AtomicFile for safety).
  // Errors call it `name` (empty: by its path).
  explicit ZipWriter(const std::string& path, const std::string& name = {});

  void add(const std::string& entry, std::string_view contents);
  // The contents of a file, which must not change before finish().
  void add_file(const std::string& entry, const std::string& path);
  // Writes everything; without this, nothing is.
  void finish();

 private:
  void add_source(const std::string& entry, zip_source* source);
  [[noreturn]] void fail() const;

  struct Discard {
    void operator()(zip* archive) const;
  };

  std::string name_;
  std::unique_ptr<zip, Discard> archive_;
};

}  // namespace plimsoll
