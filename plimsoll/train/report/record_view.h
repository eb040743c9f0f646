// ReadRecord: the fields of one record after another, as numbers and as a picture for people.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/train/model.h"

namespace plimsoll {

class ReadRecord {
 public:
  explicit ReadRecord(const Source& source);

  // Throws what the source throws.
  void read(int64_t record);
  std::vector<double> numbers(size_t field) const;
  // Of a field that is an image, a data: address; empty for another one.
  std::string thumbnail(size_t field) const;
  // The first numbers of a field that is a row of a table, by name; none for another one.
  std::vector<std::pair<std::string, double>> values(size_t field, size_t most) const;

 private:
  const Source& source_;
  std::vector<std::vector<std::byte>> bytes_;
};

// Each number of a tensor.
std::vector<double> numbers_of(const Spec& spec, const std::byte* data);

}  // namespace plimsoll
