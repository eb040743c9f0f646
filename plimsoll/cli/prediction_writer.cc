#include "plimsoll/cli/prediction_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/base/error.h"
#include "plimsoll/base/file_descriptor.h"
#include "plimsoll/cli/output.h"
#include "plimsoll/formats/numpy/npy_writer.h"
#include "plimsoll/formats/numpy/npz_writer.h"

namespace plimsoll::cli {
namespace {

std::span<const std::byte> bytes_of(const Tensor& tensor) {
  return {tensor.data(), static_cast<size_t>(tensor.spec().bytes())};
}

Spec with_records(const Spec& spec, int64_t records) {
  return {spec.dtype, spec.shape.with(0, records)};
}

class NpyPredictions final : public PredictionWriter {
 public:
  NpyPredictions(const PredictionFile& file, const Specs& specs)
      : writer_(file.path, with_records(specs[0], file.records->size())) {}
  void add(int64_t, const Tensors& outputs) override { writer_.append(bytes_of(outputs[0])); }
  void finish() override { writer_.finish(); }

 private:
  NpyWriter writer_;
};

class NpzPredictions final : public PredictionWriter {
 public:
  NpzPredictions(const PredictionFile& file, const Specs& specs)
      : writer_(file.path, arrays_of(file, specs)) {}
  void add(int64_t, const Tensors& outputs) override {
    for (size_t i = 0; i < outputs.size(); ++i) writer_.append(i, bytes_of(outputs[i]));
  }
  void finish() override { writer_.finish(); }

 private:
  static std::vector<NpzWriter::NamedSpec> arrays_of(const PredictionFile& file,
                                                     const Specs& specs) {
    std::vector<NpzWriter::NamedSpec> arrays;
    for (size_t i = 0; i < specs.size(); ++i)
      arrays.push_back({file.outputs[i], with_records(specs[i], file.records->size())});
    return arrays;
  }

  NpzWriter writer_;
};

// Text lines into a file that appears whole; without a path, to standard output.
class Lines {
 public:
  explicit Lines(const std::string& path) {
    if (!path.empty()) file_.emplace(path);
  }
  void add(const std::string& text) {
    if (file_)
      file_->add(text);
    else
      print_text(text);
  }
  void finish() {
    if (file_)
      file_->file.commit();
    else if (std::fflush(stdout) != 0)
      throw IoError(std::string("standard output: cannot be written: ") + std::strerror(errno));
  }

 private:
  struct WholeFile {
    explicit WholeFile(const std::string& path) : file(path), descriptor(file.open()) {}
    void add(const std::string& text) {
      descriptor.write_at(size, std::as_bytes(std::span(text)));
      size += static_cast<int64_t>(text.size());
    }

    AtomicFile file;
    FileDescriptor descriptor;
    int64_t size = 0;
  };
  std::optional<WholeFile> file_;
};

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string inside;
  for (const char c : text) inside += c == '"' ? std::string("\"\"") : std::string(1, c);
  return '"' + inside + '"';
}

// The shortest text that reads back as the same number.
std::string number(float value) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return {text, end};
}

float float_at(const Tensor& tensor, int64_t element) {
  float value = 0;
  std::memcpy(&value, tensor.data() + element * 4, sizeof value);
  return value;
}

// "file,class,probability"
class ClassLines final : public PredictionWriter {
 public:
  ClassLines(const PredictionFile& file, const Specs& specs)
      : file_(file), width_(specs[0].shape.elements()), lines_(file.path) {
    lines_.add(file.is_images ? "file,class,probability\n" : "record,class,probability\n");
  }

  void add(int64_t first, const Tensors& outputs) override {
    std::string text;
    for (int64_t row = 0; row < outputs[0].shape()[0]; ++row) {
      const std::string name = file_.records->name(first + row);
      text += quoted(name);
      if ((file_.left_out && file_.left_out->has(name)) || !has_finite_row(outputs, row)) {
        text += ",,\n";
        continue;
      }
      const auto [label, probability] = most_probable(outputs[0], row * width_);
      text += "," + quoted(name_of_class(label)) + "," + number(probability) + "\n";
    }
    lines_.add(text);
  }
  void finish() override { lines_.finish(); }

 private:
  // One number is the probability of the second of two classes.
  std::pair<int64_t, float> most_probable(const Tensor& output, int64_t begin) const {
    if (width_ == 1) {
      const float found = float_at(output, begin);
      const float second = file_.are_logits ? 1 / (1 + std::exp(-found)) : found;
      return second >= 0.5f ? std::pair<int64_t, float>{1, second}
                            : std::pair<int64_t, float>{0, 1 - second};
    }
    int64_t best = 0;
    for (int64_t i = 1; i < width_; ++i)
      if (float_at(output, begin + i) > float_at(output, begin + best)) best = i;
    const float largest = float_at(output, begin + best);
    if (!file_.are_logits) return {best, largest};
    float sum = 0;
    for (int64_t i = 0; i < width_; ++i) sum += std::exp(float_at(output, begin + i) - largest);
    return {best, 1 / sum};
  }

  std::string name_of_class(int64_t label) const {
    const auto i = static_cast<size_t>(label);
    return i < file_.class_names.size() ? file_.class_names[i] : std::to_string(label);
  }

  PredictionFile file_;
  int64_t width_;
  Lines lines_;
};

// "record,dense_0,dense_1"
class NumberLines final : public PredictionWriter {
 public:
  NumberLines(const PredictionFile& file, const Specs& specs) : file_(file), lines_(file.path) {
    std::string header = "record";
    for (size_t i = 0; i < specs.size(); ++i) {
      widths_.push_back(specs[i].shape.elements());
      for (int64_t k = 0; k < widths_[i]; ++k)
        header += "," + quoted(widths_[i] == 1 ? file.outputs[i]
                                               : fmt::format("{}_{}", file.outputs[i], k));
    }
    lines_.add(header + "\n");
  }

  void add(int64_t first, const Tensors& outputs) override {
    std::string text;
    for (int64_t row = 0; row < outputs[0].shape()[0]; ++row) {
      const std::string name = file_.records->name(first + row);
      const bool is_left_out = file_.left_out && file_.left_out->has(name);
      text += quoted(name);
      for (size_t i = 0; i < outputs.size(); ++i)
        for (int64_t k = 0; k < widths_[i]; ++k)
          text += is_left_out ? "," : "," + number(float_at(outputs[i], row * widths_[i] + k));
      text += "\n";
    }
    lines_.add(text);
  }
  void finish() override { lines_.finish(); }

 private:
  PredictionFile file_;
  std::vector<int64_t> widths_;
  Lines lines_;
};

void refuse_other_than_floats(const PredictionFile& file, const Specs& specs) {
  for (const Spec& spec : specs)
    if (spec.dtype != DType::float32)
      throw InvalidArgument(fmt::format(
          "{}: a .csv file holds float32 numbers, but an output is {}; write a .npz file",
          file.path.empty() ? "predict" : file.path, spec.to_string()));
}

// Images have classes in any case; other data where there is a name for each of them.
bool has_class_lines(const PredictionFile& file, const Specs& specs) {
  if (specs.size() != 1 || specs[0].shape.rank() != 1) return false;
  const int64_t width = specs[0].shape[0];
  return file.is_images || std::ssize(file.class_names) == (width == 1 ? 2 : width);
}

}  // namespace

bool has_finite_row(const Tensors& outputs, int64_t row) {
  for (const Tensor& output : outputs) {
    if (output.dtype() != DType::float32) continue;
    const int64_t width = output.shape().without(0).elements();
    for (int64_t i = 0; i < width; ++i)
      if (!std::isfinite(float_at(output, row * width + i))) return false;
  }
  return true;
}

std::unique_ptr<PredictionWriter> prediction_writer(const PredictionFile& file,
                                                    const Specs& specs) {
  if (file.path.ends_with(".npz")) return std::make_unique<NpzPredictions>(file, specs);
  if (file.path.ends_with(".npy")) {
    if (specs.size() == 1) return std::make_unique<NpyPredictions>(file, specs);
    throw InvalidArgument(
        fmt::format("{}: a .npy file holds one output, but the model has {}; write a .npz file",
                    file.path, specs.size()));
  }
  if (!file.path.empty() && !file.path.ends_with(".csv"))
    throw InvalidArgument(
        fmt::format("{}: predictions are written as .npy, .npz or .csv", file.path));
  refuse_other_than_floats(file, specs);
  if (has_class_lines(file, specs)) return std::make_unique<ClassLines>(file, specs);
  return std::make_unique<NumberLines>(file, specs);
}

}  // namespace plimsoll::cli
