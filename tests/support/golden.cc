#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace plimsoll::testing {

class GoldenReader {
 public:
  explicit GoldenReader(const std::string& family)
      : path_(std::string(PLIMSOLL_SOURCE_DIR) + "/tests/golden/" + family + ".txt"),
        stream_(path_) {
    if (!stream_) throw std::runtime_error(path_ + ": cannot be opened");
  }

  std::vector<GoldenCase> read() {
    for (std::string line; std::getline(stream_, line);) read_line(line);
    if (cases_.empty()) throw std::runtime_error(path_ + ": holds no cases");
    return std::move(cases_);
  }

 private:
  void read_line(const std::string& line) {
    std::istringstream words(line);
    std::string kind, name;
    words >> kind;
    if (kind == "end") return;
    words >> name;
    if (kind == "case") {
      cases_.emplace_back().name_ = name;
    } else if (kind == "meta") {
      std::string value;
      std::getline(words >> std::ws, value);
      cases_.back().meta_[name] = value;
    } else if (kind == "tensor") {
      cases_.back().tensors_[name] = read_tensor(words);
    } else {
      throw std::runtime_error(path_ + ": cannot read the line '" + line + "'");
    }
  }

  GoldenCase::Entry read_tensor(std::istringstream& words) {
    GoldenCase::Entry entry;
    std::string dtype;
    words >> dtype;
    entry.spec.dtype = dtype == "int32" ? DType::int32 : DType::float32;
    for (int64_t dim; words >> dim;) entry.spec.shape.push_back(dim);
    entry.values.resize(static_cast<size_t>(entry.spec.shape.elements()));
    for (double& value : entry.values) {
      std::string text;  // stream extraction of doubles does not know "inf"
      if (!(stream_ >> text)) throw std::runtime_error(path_ + ": ends inside a tensor");
      value = std::stod(text);
    }
    stream_ >> std::ws;
    return entry;
  }

  std::string path_;
  std::ifstream stream_;
  std::vector<GoldenCase> cases_;
};

bool GoldenCase::has(const std::string& key) const {
  const auto found = meta_.find(key);
  return found != meta_.end() && found->second != "none";
}

std::string GoldenCase::raw(const std::string& key, const std::string& fallback) const {
  return meta_.contains(key) ? meta_.at(key) : fallback;
}

std::string GoldenCase::text(const std::string& key, const std::string& fallback) const {
  return has(key) ? meta_.at(key) : fallback;
}

double GoldenCase::number(const std::string& key, double fallback) const {
  return has(key) ? std::stod(meta_.at(key)) : fallback;
}

bool GoldenCase::flag(const std::string& key, bool fallback) const {
  return has(key) ? meta_.at(key) == "true" : fallback;
}

std::vector<std::string> GoldenCase::words(const std::string& key) const {
  std::istringstream stream(text(key));
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<int64_t> GoldenCase::numbers(const std::string& key) const {
  std::vector<int64_t> numbers;
  for (const std::string& word : words(key)) numbers.push_back(std::stoll(word));
  return numbers;
}

const GoldenCase::Entry& GoldenCase::entry(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) throw std::runtime_error(name_ + ": has no tensor " + name);
  return found->second;
}

const std::vector<double>& GoldenCase::values(const std::string& name) const {
  return entry(name).values;
}

std::string GoldenCase::bytes(const std::string& name) const {
  std::string bytes;
  for (const double value : values(name)) bytes += static_cast<char>(static_cast<int>(value));
  return bytes;
}

std::set<std::string> GoldenCase::tensor_names(const std::string& prefix) const {
  std::set<std::string> names;
  for (const auto& [name, entry] : tensors_)
    if (name.starts_with(prefix)) names.insert(name);
  return names;
}

Tensor GoldenCase::tensor(const std::string& name) const {
  const auto& [spec, values] = entry(name);
  if (spec.dtype == DType::int32)
    return constant(std::vector<int32_t>(values.begin(), values.end()), spec.shape);
  return constant(std::vector<float>(values.begin(), values.end()), spec.shape);
}

std::vector<GoldenCase> read_goldens(const std::string& family) {
  return GoldenReader(family).read();
}

GoldenCase read_golden(const std::string& family, const std::string& name) {
  for (const GoldenCase& golden : read_goldens(family))
    if (golden.name() == name) return golden;
  throw std::runtime_error(family + ".txt: has no case " + name);
}

void expect_golden(const GoldenCase& golden, const std::string& name,
                   const std::vector<double>& actual, double tolerance) {
  const std::vector<double>& expected = golden.values(name);
  ASSERT_EQ(actual.size(), expected.size()) << golden.name() << ": " << name;
  double largest = 0;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  for (size_t i = 0; i < expected.size(); ++i)
    ASSERT_LE(std::abs(actual[i] - expected[i]), tolerance * largest)
        << golden.name() << ": " << name << "[" << i << "] is " << actual[i] << ", Keras has "
        << expected[i] << " (largest " << largest << ")";
}

void expect_golden(const GoldenCase& golden, const std::string& name, const Tensor& actual,
                   double tolerance) {
  ASSERT_TRUE(actual.defined()) << golden.name() << ": " << name << " is undefined";
  ASSERT_EQ(actual.shape(), golden.tensor(name).shape()) << golden.name() << ": " << name;
  const std::vector<float> values = actual.to_vector();
  expect_golden(golden, name, std::vector<double>(values.begin(), values.end()), tolerance);
}

}  // namespace plimsoll::testing
