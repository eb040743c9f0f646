#include "plimsoll/train/report/record_view.h"

#include <algorithm>

#include "plimsoll/report/thumbnail.h"
#include "plimsoll/tensor/dtype.h"

namespace plimsoll {
namespace {

struct ImageSize {
  int64_t height = 0, width = 0, channels = 0;
};

// Zeros where the shape is not that of an image.
ImageSize image_size(const Shape& shape) {
  constexpr int64_t kLeastSide = 4, kMostNumbers = int64_t{1} << 24;
  const int64_t channels = shape.rank() == 3 ? shape[2] : 1;
  if (shape.rank() < 2 || shape.rank() > 3 || (channels != 1 && channels != 3)) return {};
  if (std::min(shape[0], shape[1]) < kLeastSide || shape.elements() > kMostNumbers) return {};
  return {shape[0], shape[1], channels};
}

// "age" of "column 'age'".
std::string bare(const std::string& name) {
  const std::string_view begin = "column '";
  if (!name.starts_with(begin) || !name.ends_with('\'')) return name;
  return name.substr(begin.size(), name.size() - begin.size() - 1);
}

}  // namespace

std::vector<double> numbers_of(const Spec& spec, const std::byte* data) {
  std::vector<double> numbers;
  numbers.reserve(static_cast<size_t>(spec.shape.elements()));
  visit_dtype(spec.dtype, [&]<class T>(T) {
    const T* values = reinterpret_cast<const T*>(data);
    for (int64_t i = 0; i < spec.shape.elements(); ++i)
      numbers.push_back(static_cast<double>(values[i]));
  });
  return numbers;
}

ReadRecord::ReadRecord(const Source& source) : source_(source) {
  for (const Spec& spec : source.fields())
    bytes_.emplace_back(static_cast<size_t>(std::max<int64_t>(1, spec.bytes())));
}

void ReadRecord::read(int64_t record) {
  std::vector<std::byte*> into;
  for (std::vector<std::byte>& field : bytes_) into.push_back(field.data());
  source_.read(record, into);
}

std::vector<double> ReadRecord::numbers(size_t field) const {
  return numbers_of(source_.fields()[field], bytes_[field].data());
}

std::string ReadRecord::thumbnail(size_t field) const {
  const ImageSize size = image_size(source_.fields()[field].shape);
  if (size.height == 0) return {};
  const std::vector<double> all = numbers(field);
  const std::vector<float> pixels(all.begin(), all.end());
  return thumbnail_of(pixels, size.height, size.width, size.channels);
}

std::vector<std::pair<std::string, double>> ReadRecord::values(size_t field, size_t most) const {
  if (source_.fields()[field].shape.rank() > 1) return {};
  const std::vector<double> all = numbers(field);
  std::vector<std::pair<std::string, double>> values;
  for (size_t i = 0; i < std::min(all.size(), most); ++i) {
    const std::string name = source_.element_name(field, static_cast<int64_t>(i));
    values.emplace_back(name.empty() ? std::to_string(i) : bare(name), all[i]);
  }
  return values;
}

}  // namespace plimsoll
