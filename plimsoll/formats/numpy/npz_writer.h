// Writes a .npz file of several arrays, the rows of each as they come; the file appears whole or
// not at all.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/tensor/host_tensor.h"

namespace plimsoll {

class NpzWriter {
 public:
  using NamedSpec = std::pair<std::string, Spec>;

  // `arrays` are the names and specs of the whole arrays.
  NpzWriter(const std::string& path, const std::vector<NamedSpec>& arrays);
  ~NpzWriter();

  // The next elements of array `i`, row-major. They go to a file beside the other.
  void append(size_t i, std::span<const std::byte> bytes);
  // Joins the arrays, stored under a fixed date: the same numbers give the same bytes.
  // InvalidArgument unless exactly the elements of each spec were written.
  void finish();

 private:
  struct Part;

  AtomicFile file_;
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace plimsoll
