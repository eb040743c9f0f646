// Numbers that real Keras made; tests/golden/README.md describes the files.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/graph/tensor.h"

namespace plimsoll::testing {

class GoldenCase {
 public:
  const std::string& name() const { return name_; }

  // Of meta. A key that is absent or "none" gives the fallback.
  bool has(const std::string& key) const;
  // As it is written, "none" included.
  std::string raw(const std::string& key, const std::string& fallback) const;
  std::string text(const std::string& key, const std::string& fallback = "") const;
  double number(const std::string& key, double fallback) const;
  bool flag(const std::string& key, bool fallback) const;
  std::vector<std::string> words(const std::string& key) const;
  std::vector<int64_t> numbers(const std::string& key) const;

  bool has_tensor(const std::string& name) const { return tensors_.contains(name); }
  // Those that begin with the prefix.
  std::set<std::string> tensor_names(const std::string& prefix) const;
  // A constant: float32 or int32.
  Tensor tensor(const std::string& name) const;
  const std::vector<double>& values(const std::string& name) const;
  // A file that is kept as the numbers of its bytes.
  std::string bytes(const std::string& name) const;

 private:
  friend class GoldenReader;
  struct Entry {
    Spec spec;
    std::vector<double> values;
  };
  const Entry& entry(const std::string& name) const;

  std::string name_;
  std::map<std::string, std::string> meta_;
  std::map<std::string, Entry> tensors_;
};

// Every case of tests/golden/FAMILY.txt; throws std::runtime_error where the file is not as its
// format says.
std::vector<GoldenCase> read_goldens(const std::string& family);
GoldenCase read_golden(const std::string& family, const std::string& name);

// How far from Keras's numbers ours may be, in parts of a tensor's largest value.
inline constexpr double kGoldenTolerance = 1e-5;

// Fails the running test where shapes differ or values are farther apart.
void expect_golden(const GoldenCase& golden, const std::string& name, const Tensor& actual,
                   double tolerance = kGoldenTolerance);
void expect_golden(const GoldenCase& golden, const std::string& name,
                   const std::vector<double>& actual, double tolerance = kGoldenTolerance);

}  // namespace plimsoll::testing
