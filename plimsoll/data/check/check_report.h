// What a look at every record has found.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/base/flaw.h"
#include "plimsoll/data/check/fingerprint.h"
#include "plimsoll/tensor/spec.h"

namespace plimsoll {

// A record that training would fail on.
struct BadEntry {
  int64_t record = -1;    // -1: it is about all records
  std::string path = {};  // the record's name
  Flaw flaw = Flaw::invalid;
  std::string detail = {};  // what is wrong, without the name
};

// Something that would not stop training, but is seldom wanted.
struct CheckWarning {
  std::string reason;                      // a word that stays the same: "duplicate"
  int64_t count = 1;                       // how many records, columns or classes it is about
  std::string what = {};                   // what was found
  std::string remedy = {};                 // what to do, naming the option that does it
  std::vector<std::string> examples = {};  // the first of them
};

// The numbers of a column over all records.
struct ColumnSummary {
  std::string name;
  double least = 0, largest = 0;
  int64_t values = 0;  // that are finite
};

enum class FieldRole { input, target, weight };

struct FieldSummary {
  std::string name;
  FieldRole role = FieldRole::input;
  Spec spec = {};
  double least = 0, largest = 0, mean = 0, deviation = 0;  // of all finite numbers
  int64_t values = 0;
  std::vector<ColumnSummary> columns = {};  // of a vector; none for images and the like
};

struct ClassCount {
  std::string name;
  int64_t records = 0;
};

struct CheckReport {
  int64_t records = 0;
  std::vector<BadEntry> bad = {};  // by record; those about all of them first
  std::vector<CheckWarning> warnings = {};
  std::vector<FieldSummary> fields = {};
  std::vector<ClassCount> classes = {};        // of the first target, where it is classes
  std::vector<Fingerprint> fingerprints = {};  // one per record
};

}  // namespace plimsoll
