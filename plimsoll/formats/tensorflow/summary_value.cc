#include "plimsoll/formats/tensorflow/summary_value.h"

#include <array>
#include <bit>
#include <vector>

#include "plimsoll/base/printable.h"
#include "plimsoll/formats/tensorflow/protobuf_writer.h"

namespace plimsoll {
namespace {

// TensorFlow's numbers of element types.
constexpr int kFloat = 1, kDouble = 2, kString = 7;
// How TensorBoard stores what a plugin shows.
constexpr int kScalars = 1, kTensors = 2, kBlobs = 3;

std::string shape_message(std::span<const int64_t> shape) {
  ProtobufWriter message;
  for (const int64_t size : shape) message.bytes(2, ProtobufWriter().number(1, size).text());
  return message.text();
}

std::string tensor_message(int type, std::span<const int64_t> shape, std::string_view content) {
  return ProtobufWriter().number(1, type).bytes(2, shape_message(shape)).bytes(4, content).text();
}

std::string texts_message(std::span<const std::string> texts, std::span<const int64_t> shape) {
  ProtobufWriter message;
  message.number(1, kString).bytes(2, shape_message(shape));
  for (const std::string& text : texts) message.bytes(8, text);
  return message.text();
}

std::string metadata(std::string_view plugin, int data_class, std::string_view description,
                     std::string_view content = {}) {
  ProtobufWriter data, message;
  data.bytes(1, plugin);
  if (!content.empty()) data.bytes(2, content);
  message.bytes(1, data.text());
  if (!description.empty()) message.bytes(3, valid_utf8(description));
  if (data_class != 0) message.number(4, data_class);
  return message.text();
}

std::string value_message(std::string_view tag, std::string_view about, std::string_view tensor) {
  return ProtobufWriter().bytes(1, valid_utf8(tag)).bytes(8, tensor).bytes(9, about).text();
}

void append(std::string& bytes, double value) {
  const auto bits = std::bit_cast<uint64_t>(value);
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(bits >> (8 * i) & 0xff);
}

// A google.protobuf.Value.
std::string message_of(const HyperParameter& value) {
  if (const auto* number = std::get_if<double>(&value))
    return ProtobufWriter().real(2, *number).text();
  if (const auto* text = std::get_if<std::string>(&value))
    return ProtobufWriter().bytes(3, valid_utf8(*text)).text();
  return ProtobufWriter().number(4, std::get<bool>(value) ? 1 : 0).text();
}

// The plugin reads the metadata alone; its tensor is a vector of no numbers.
std::string hyper_parameters_value(std::string_view tag, std::string_view content) {
  constexpr std::array<int64_t, 1> kNone = {0};
  return value_message(tag, metadata("hparams", 0, {}, content), tensor_message(kFloat, kNone, {}));
}

}  // namespace

std::string scalar_summary(std::string_view tag, double value, std::string_view description) {
  const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
  std::string content;
  for (int i = 0; i < 4; ++i) content += static_cast<char>(bits >> (8 * i) & 0xff);
  return value_message(tag, metadata("scalars", kScalars, description),
                       tensor_message(kFloat, {}, content));
}

std::string text_summary(std::string_view tag, std::span<const std::string> texts,
                         std::span<const int64_t> shape, std::string_view description) {
  return value_message(tag, metadata("text", kTensors, description), texts_message(texts, shape));
}

std::string text_summary(std::string_view tag, const std::string& text) {
  return text_summary(tag, std::span(&text, 1), {});
}

std::string histogram_summary(std::string_view tag, double least, double largest,
                              std::span<const int64_t> counts, std::string_view description) {
  std::string content;
  const auto buckets = static_cast<double>(counts.size());
  const auto edge = [&](size_t i) {
    return i == counts.size() ? largest
                              : least + (largest - least) * static_cast<double>(i) / buckets;
  };
  for (size_t i = 0; i < counts.size(); ++i) {
    append(content, edge(i));
    append(content, edge(i + 1));
    append(content, static_cast<double>(counts[i]));
  }
  const std::array<int64_t, 2> shape = {std::ssize(counts), 3};
  return value_message(tag, metadata("histograms", kTensors, description),
                       tensor_message(kDouble, shape, content));
}

std::string image_summary(std::string_view tag, int64_t height, int64_t width,
                          std::span<const std::string> files, std::string_view description) {
  std::vector<std::string> texts = {std::to_string(width), std::to_string(height)};
  texts.insert(texts.end(), files.begin(), files.end());
  const std::array<int64_t, 1> shape = {std::ssize(texts)};
  return value_message(tag, metadata("images", kBlobs, description), texts_message(texts, shape));
}

std::string tensor_summary(std::string_view tag, int type, std::span<const int64_t> shape,
                           std::string_view content, std::string_view metadata) {
  return value_message(tag, metadata, tensor_message(type, shape, content));
}

std::string hyper_parameters_summary(const HyperParameters& values, double seconds) {
  ProtobufWriter start;
  for (const auto& [name, value] : values)
    start.bytes(1, ProtobufWriter().bytes(1, valid_utf8(name)).bytes(2, message_of(value)).text());
  start.real(5, seconds);
  return hyper_parameters_value("_hparams_/session_start_info",
                                ProtobufWriter().bytes(3, start.text()).text());
}

std::string run_end_summary(bool has_failed, double seconds) {
  const std::string end = ProtobufWriter().number(1, has_failed ? 2 : 1).real(2, seconds).text();
  return hyper_parameters_value("_hparams_/session_end_info",
                                ProtobufWriter().bytes(4, end).text());
}

}  // namespace plimsoll
