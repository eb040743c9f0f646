// The texts of attributes as bytes: collections of a global heap, to which attributes refer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/formats/bytes/byte_builder.h"
#include "plimsoll/formats/hdf5/hdf5_encoding.h"
#include "plimsoll/formats/hdf5/hdf5_members.h"

namespace plimsoll::hdf5 {

struct TextAttribute {
  bool is_list = false;  // otherwise it is one text
  std::vector<std::string> texts;
};

// At most; the texts themselves are not in the message.
int64_t bytes_of_message(const std::string& name, const TextAttribute& attribute);

class Texts {
 public:
  // Nothing else may be appended to the metadata before finish().
  explicit Texts(Metadata& metadata) : metadata_(metadata) {}
  // Gives the message that refers to the texts.
  Message append(const std::string& name, const TextAttribute& attribute);
  void finish();

 private:
  // Gives the reference to the text.
  std::string append(const std::string& text);

  Metadata& metadata_;
  ByteBuilder objects_;  // of the collection that is being filled
  int64_t count_ = 0;
};

}  // namespace plimsoll::hdf5
