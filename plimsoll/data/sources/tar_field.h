// A field of the records in tar archives, and how it is read from one of their files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/data/images/encoded_image.h"
#include "plimsoll/data/sources/tar_record.h"
#include "plimsoll/tensor/spec.h"

namespace plimsoll {

// True if a file of this extension ("png") holds an image.
bool is_image_extension(std::string_view extension);

class TarField {
 public:
  // `image` says how images are read. InvalidArgument if nothing reads files that end so.
  TarField(std::string extension, const EncodedImage& image);

  // The file of the record that holds this field; nullptr if there is none.
  const TarRecordFile* find(const std::vector<TarRecordFile>& files) const;
  // True if the shape and type of the field are those of its first file.
  bool is_array() const { return kind_ == Kind::array; }
  Spec array_spec(const TarRecordFile& file, const std::string& name) const;
  // What reading anything else gives.
  Spec spec() const;
  // CorruptFile, beginning with `name`, where the file does not hold that.
  void read(const TarRecordFile& file, const std::string& name, const Spec& spec,
            std::byte* into) const;

  const std::string& extension() const { return extension_; }

 private:
  enum class Kind { image, label, array };

  static Kind kind_of(const std::string& extension);

  std::string extension_;
  Kind kind_;
  EncodedImage image_;
};

}  // namespace plimsoll
