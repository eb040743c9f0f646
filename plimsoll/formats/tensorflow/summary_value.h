// Summary.Value: what TensorBoard shows under a tag. Each function gives the bytes of one value, a
// tensor with the name of the plugin that shows it, as TensorFlow 2 writes them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace plimsoll {

// A description may be empty.
std::string scalar_summary(std::string_view tag, double value, std::string_view description = {});

// Texts in Markdown. An empty shape is one text, {n} a list, {n, m} a table.
std::string text_summary(std::string_view tag, std::span<const std::string> texts,
                         std::span<const int64_t> shape, std::string_view description = {});
std::string text_summary(std::string_view tag, const std::string& text);

// How many numbers are in each of equal ranges between the least and the largest.
std::string histogram_summary(std::string_view tag, double least, double largest,
                              std::span<const int64_t> counts, std::string_view description = {});

// Image files, PNG or JPEG, of the same size.
std::string image_summary(std::string_view tag, int64_t height, int64_t width,
                          std::span<const std::string> files, std::string_view description = {});

// Any tensor: the number of its element type in TensorFlow, its shape and its bytes. `metadata` is
// a SummaryMetadata message.
std::string tensor_summary(std::string_view tag, int type, std::span<const int64_t> shape,
                           std::string_view content, std::string_view metadata);

// Hyper-parameters of a run, for the plugin HParams.
using HyperParameter = std::variant<bool, double, std::string>;
using HyperParameters = std::map<std::string, HyperParameter>;
// When the run starts, at `seconds` since 1970.
std::string hyper_parameters_summary(const HyperParameters& values, double seconds);
// When it has ended.
std::string run_end_summary(bool has_failed, double seconds);

}  // namespace plimsoll
