// Every preprocessing layer against real Keras: from its saved config, and from data.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/keras/layer_config.h"
#include "plimsoll/nn/layers/layer_state.h"
#include "plimsoll/nn/preprocessing/categories.h"
#include "plimsoll/nn/preprocessing/index_lookup.h"
#include "plimsoll/nn/preprocessing/text_vectorization.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/text/text.h"
#include "plimsoll/tensor/text.h"
#include "tests/support/golden.h"

namespace plimsoll {
namespace {

using testing::expect_golden;
using testing::GoldenCase;

// The texts whose bytes the golden has.
Tensor texts_in(const GoldenCase& golden, const std::string& name) {
  const Tensor bytes = golden.tensor(name);
  Shape shape = bytes.shape();
  const int64_t width = shape.back();
  shape = shape.without(shape.rank() - 1);
  std::vector<std::string> values(static_cast<size_t>(shape.elements()));
  const std::vector<double>& numbers = golden.values(name);
  for (size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] != 0)
      values[i / static_cast<size_t>(width)].push_back(
          static_cast<char>(static_cast<int>(numbers[i])));
  return texts(values, shape);
}

Tensor input_of(const GoldenCase& golden, const std::string& name) {
  if (golden.text("dtype." + name) == "string") return texts_in(golden, name);
  const Tensor x = golden.tensor(name);
  return golden.text("dtype." + name) == "int64" ? cast(x, DType::int64) : x;
}

void check_layer(const GoldenCase& golden) {
  const Json json = Json::parse(golden.text("layer"));
  const Layer layer = layer_from_json(json);
  Tensors inputs;
  for (int i = 0; i < golden.number("inputs", 0); ++i)
    inputs.push_back(input_of(golden, "x" + std::to_string(i)));
  const Tensor y = layer(inputs)[0];
  if (golden.text("dtype.y") == "string") {
    const Tensor expected = texts_in(golden, "y");
    EXPECT_EQ(shape_of_elements(y.spec()), shape_of_elements(expected.spec()));
    EXPECT_EQ(to_texts(y), to_texts(expected));
  } else {
    expect_golden(golden, "y", as_float(y));
  }
  const Json written = layer_to_json(*layer);
  for (const auto& [key, value] : json["config"].items())
    if (!value.is_null() && key != "dtype") {
      EXPECT_EQ(written["config"].value(key, Json()), value) << key;
    }
}

template <class Kind, class Options>
Kind layer_of(const Json& config) {
  Options options;
  Fields fields(config, "layer");
  describe(fields, options);
  return Kind(options);
}

// Adapts a layer with a vocabulary.
template <class Kind, class Options>
void check_vocabulary(const GoldenCase& golden, const Json& config) {
  const Kind layer = layer_of<Kind, Options>(config);
  layer.adapt(input_of(golden, "data"));
  EXPECT_EQ(Json(layer.vocabulary()).dump(), Json::parse(golden.text("vocabulary")).dump());
  if (!golden.has_tensor("idf")) return;
  const std::vector<float> idf =
      dynamic_cast<const KeepsState&>(*layer).state().numbers.at("idf_weights");
  expect_golden(golden, "idf", std::vector<double>(idf.begin(), idf.end()));
}

void check_adapted(const GoldenCase& golden) {
  const Json json = Json::parse(golden.text("layer"));
  const Json& config = json["config"];
  const std::string kind = json["class_name"];
  if (kind == "StringLookup") {
    check_vocabulary<StringLookup, StringLookupOptions>(golden, config);
  } else if (kind == "IntegerLookup") {
    check_vocabulary<IntegerLookup, IntegerLookupOptions>(golden, config);
  } else if (kind == "TextVectorization") {
    check_vocabulary<TextVectorization, TextVectorizationOptions>(golden, config);
  } else {
    const auto layer = layer_of<Discretization, DiscretizationOptions>(config);
    layer.adapt(input_of(golden, "data"));
    expect_golden(golden, "boundaries", layer.bin_boundaries());
  }
}

// As tests/golden/preprocessing_cases.py makes it.
std::vector<std::string> texts_of_every_length() {
  std::vector<std::string> values;
  for (int length = 0; length <= 300; ++length) {
    std::string& text = values.emplace_back();
    for (int k = 0; k < length; ++k)
      text.push_back(static_cast<char>(1 + (length * 31 + k * 17 + k * k % 251) % 255));
  }
  return values;
}

void check_hashes(const GoldenCase& golden) {
  constexpr int64_t kBins = 2147483647;
  std::vector<std::string> values = texts_of_every_length();
  const Tensor x = texts(values, {std::ssize(values)});
  HashRule rule;
  if (golden.has("salt")) {
    const std::vector<int64_t> salt = golden.numbers("salt");
    rule.salt = {{static_cast<uint64_t>(salt[0]), static_cast<uint64_t>(salt[1])}};
  }
  Tensor bins = hash_bins(x, kBins, rule);
  if (golden.name().ends_with("crossed")) {
    std::ranges::reverse(values);
    bins = cross_bins({x, texts(values, {std::ssize(values)})}, kBins);
  }
  const std::vector<int64_t> found = bins.to_vector<int64_t>();
  ASSERT_EQ(found.size(), golden.values("bins").size());
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_EQ(static_cast<double>(found[i]), golden.values("bins")[i]) << i << " bytes";
}

TEST(PreprocessingGolden, AgreesWithKeras) {
  for (const GoldenCase& golden : testing::read_goldens("preprocessing")) {
    SCOPED_TRACE(golden.name());
    if (golden.name().starts_with("hash_lengths"))
      check_hashes(golden);
    else if (golden.name().starts_with("adapt"))
      check_adapted(golden);
    else
      check_layer(golden);
  }
}

}  // namespace
}  // namespace plimsoll
