// Failure: the way in which a training fails, by which a smaller one is compared with it.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "plimsoll/guards/doctor/diagnosis.h"

namespace plimsoll {

struct BadBatch;

struct Failure {
  enum class Kind {
    bad_record,  // a record cannot be used: a label that is no class, a number that is not finite
    not_finite,  // the loss or a gradient of a step is not finite
    diagnosis,   // the doctor names a cause
  };

  Kind kind = Kind::not_finite;
  // What stays the same in a smaller case: the flaw of the record ("label"), the operation that
  // made the first number that is not finite ("exp", "log, in the gradient of …", "weight",
  // "input"), or the doctor's first cause ("output_activation").
  std::string cause = {};
  std::string what = {};         // in words
  std::string layer = {};        // where it is, if that is known
  int64_t epoch = 0, batch = 0;  // of the step, from 1; 0: before any step
};

// "bad_record", "not_finite", "diagnosis"
std::string_view to_string(Failure::Kind kind);

bool fails_alike(const Failure& one, const Failure& other);

Failure failure_of_record(const std::exception& error);
Failure failure_of_step(const BadBatch& bad);
// Its first finding; nothing if that is a note, or about the machine and not about the training.
std::optional<Failure> failure_of(const Diagnosis& diagnosis);

}  // namespace plimsoll
