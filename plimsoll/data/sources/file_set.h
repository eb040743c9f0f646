// Some files that many threads read, kept open while they are few.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/formats/bytes/byte_source.h"

namespace plimsoll {

class FileSet {
 public:
  // IoError where a file cannot be opened; InvalidArgument, beginning with `what`, where there is
  // none.
  FileSet(std::vector<std::string> paths, const std::string& what);

  size_t size() const { return paths_.size(); }
  const std::string& path(size_t file) const { return paths_[file]; }
  ByteSourcePtr open(size_t file) const;

 private:
  std::vector<std::string> paths_;
  std::vector<ByteSourcePtr> files_;  // the first ones
};

// The files that a person names: "a.tar", "a.tar,b.tar", or a pattern, "shards/train-*.tar", whose
// files come sorted by name. InvalidArgument where a pattern has none.
std::vector<std::string> named_files(const std::string& text);

}  // namespace plimsoll
