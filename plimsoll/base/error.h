// The one tree of errors. A message begins with the op, layer or file it is about, says what was
// expected and what was found, and what to do.
#pragma once

#include <stdexcept>
#include <string>

namespace plimsoll {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The caller passed something that cannot work: a shape, an option, a label.
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

// The operating system refused to read or write.
class IoError : public Error {
 public:
  using Error::Error;
};

// A file was read and its contents are not what its format promises.
class CorruptFile : public Error {
 public:
  using Error::Error;
};

// The plan needs more memory than it was given.
class DoesNotFit : public Error {
 public:
  using Error::Error;
};

// The loss or a gradient is NaN or infinite; no weight was changed by the step that found it.
class NotFinite : public Error {
 public:
  using Error::Error;
};

// A run was asked to stop, and did so in good order.
class Interrupted : public Error {
 public:
  using Error::Error;
};

}  // namespace plimsoll
