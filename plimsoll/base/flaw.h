// Why a record cannot be used, by a word that stays the same in all versions: reports, quarantines
// and scripts name it.
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "plimsoll/base/error.h"

namespace plimsoll {

enum class Flaw {
  unreadable,    // the system cannot read it: it is gone, or its permissions forbid it
  empty,         // a file of no bytes
  zeros,         // a file of nothing but zero bytes
  truncated,     // it ends too early
  damaged,       // its bytes are not what its format promises
  not_an_image,  // another kind of file than an image
  too_large,     // its header names a size that is over the limits
  shape,         // fields or sizes that differ from those of the others
  missing,       // a value is not there
  not_a_number,  // text where a number belongs
  not_finite,    // NaN or an infinity
  label,         // a label that is no class
  out_of_range,  // a number that the model has no place for
  invalid,       // anything else
};

// "not_an_image"
std::string_view to_string(Flaw flaw);

// An error about one record that says which flaw it has. Its message is like that of any error.
class FlawedRecord : public CorruptFile {
 public:
  FlawedRecord(Flaw flaw, const std::string& what) : CorruptFile(what), flaw_(flaw) {}
  Flaw flaw() const { return flaw_; }

 private:
  Flaw flaw_;
};

// The flaw that an error of Source::read is about: a FlawedRecord's own; unreadable for an IoError,
// damaged for another CorruptFile, not_finite for NotFinite, else invalid.
Flaw flaw_of(const std::exception& error);

}  // namespace plimsoll
