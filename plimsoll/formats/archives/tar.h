// Tar archives, member by member: ustar, GNU's long names and sizes, pax's paths and sizes. An
// archive that is compressed is refused: nothing in it can be found without expanding all before
// it.
#pragma once

#include <cstdint>
#include <string>

#include "plimsoll/formats/bytes/byte_source.h"
#include "plimsoll/formats/bytes/forward_reader.h"

namespace plimsoll {

struct TarMember {
  std::string name;
  int64_t begin = 0;             // of its headers
  int64_t offset = 0, size = 0;  // of its contents
  int64_t end = 0;               // where the next member begins
};

class TarReader {
 public:
  enum class Extent {
    archive,  // ends with a block of zeros; without, it is cut off
    part,     // some whole members of one
  };

  // The source must outlive the reader.
  explicit TarReader(ByteSource& source, Extent extent = Extent::archive);

  // Goes to the next regular file; folders, links and the like are passed over. False at the end.
  // CorruptFile, with the byte, where the archive is damaged or cut off.
  bool next();
  const TarMember& member() const { return member_; }

 private:
  // What the headers before a member say about it.
  struct Extensions {
    std::string name;
    int64_t size = -1;
  };

  char read_member();
  bool is_at_end();
  char read_header(const Extensions& given);
  std::string read_text(int64_t most);
  void read_pax(const std::string& records, Extensions& into) const;
  void set_extent(int64_t size);
  [[noreturn]] void refuse(const std::string& what) const;

  ByteSource& source_;
  ForwardReader reader_;
  Extent extent_;
  int64_t at_ = 0;  // of the header that is read
  TarMember member_;
};

}  // namespace plimsoll
