// A layer of images that also takes one image alone, (height, width, channels), as the stages of a
// pipeline do before its records are batched.
#pragma once

namespace plimsoll {

struct TakesSingleImages {
  virtual ~TakesSingleImages() = default;
};

}  // namespace plimsoll
