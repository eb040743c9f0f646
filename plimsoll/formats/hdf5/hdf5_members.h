// The list of a group's members as bytes: a heap of names, nodes of names in their order, and a
// B-tree above them.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace plimsoll::hdf5 {

// What is written after all elements of datasets, as one piece.
class Metadata {
 public:
  // `address` is where the piece will begin; divisible by eight.
  explicit Metadata(int64_t address) : address_(address) {}
  // Gives the address of the bytes.
  int64_t append(const std::string& bytes);
  int64_t end() const { return address_ + std::ssize(bytes_); }
  const std::string& bytes() const { return bytes_; }

 private:
  int64_t address_;
  std::string bytes_;
};

struct MembersPlace {
  int64_t tree, names;
};

// `headers` are the addresses of the members' object headers.
MembersPlace append_members(Metadata& metadata, const std::map<std::string, int64_t>& headers);

}  // namespace plimsoll::hdf5
