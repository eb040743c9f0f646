// A field of the records in tar archives, and how it is read from one of their files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/data/images/encoded_image.h"
#include "plimsoll/data/sources/tar_record.h"
#include "plimsoll/tensor/spec.h"

namespace plimsoll {

// Does a file of this extension hold an image ("png")?
bool is_image_extension(std::string_view extension);

class TarField {
 public:
  // `image` says how images are read. InvalidArgument where nothing reads files that end so.
  TarField(std::string extension, const EncodedImage& image);

  // The record's file, none of these: nullptr.
  const TarRecordFile* find(const std::vector<TarRecordFile>& files) const;
  // An array tells by its first file what it is.
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
