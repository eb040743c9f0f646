// ImageSource: records that are each made of one image file, wherever its bytes are.
#pragma once

#include <functional>
#include <span>

#include "plimsoll/data/source.h"

namespace plimsoll {

using UseBytes = std::function<void(std::span<const std::byte>)>;

class ImageSource : public Source {
 public:
  // Calls `use` with the bytes of the record's image, as they are stored. IoError or FlawedRecord
  // where they cannot be read, or are more than the limits allow.
  virtual void with_file(int64_t record, const UseBytes& use) const = 0;
};

// The same for any source of images: one that is no ImageSource names the file of each record.
void with_image_file(const Source& images, int64_t record, const UseBytes& use);

}  // namespace plimsoll
