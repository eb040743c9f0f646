#include "plimsoll/data/sources/image_source.h"

#include "plimsoll/formats/images/image.h"

namespace plimsoll {

void with_image_file(const Source& images, int64_t record, const UseBytes& use) {
  if (const auto* source = dynamic_cast<const ImageSource*>(&images))
    source->with_file(record, use);
  else
    with_image_bytes(images.name(record), {}, use);
}

}  // namespace plimsoll
