#include "plimsoll/ops/text/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "plimsoll/base/error.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/tensor/text.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// The elements as the numbers that a reference computes with, those of slots too.
std::vector<double> elements_of(const Tensor& x) {
  return visit_dtype(x.dtype(), [&]<class T>(T) {
    const auto* elements = reinterpret_cast<const T*>(x.data());
    return std::vector<double>(elements, elements + x.shape().elements());
  });
}

Tensor some_texts() {
  const std::vector<std::string> values = {"red", "green", "", "a much longer text", "Red", "blue"};
  return texts(values, {3, 2});
}

TablePtr<std::string> colours(int64_t unknown = 1) {
  return std::make_shared<TextTable>(TextTable::Options{.words = {"red", "green", "blue"},
                                                        .mask = "",
                                                        .first_unknown = 1,
                                                        .unknown = unknown,
                                                        .unknown_word = "?"});
}

TablePtr<int64_t> numbers(int64_t unknown = 1) {
  return std::make_shared<NumberTable>(NumberTable::Options{
      .words = {7, -2, 1}, .unknown = unknown, .unknown_word = -1, .hash = {.is_modulo = true}});
}

void check_text_op(const std::string& title, const Tensors& inputs,
                   const std::function<Tensor(const Tensors&)>& build) {
  Specs specs;
  std::vector<std::vector<double>> values;
  for (const Tensor& x : inputs) {
    specs.push_back(x.spec());
    values.push_back(elements_of(x));
  }
  testing::check_op({.title = title,
                     .op = testing::recorded_op(build, specs),
                     .inputs = specs,
                     .values = values,
                     .check_gradient = false});
}

TEST(Text, KeepsTextsOfAnyLengthInSlotsOfTheLongest) {
  const Tensor x = some_texts();
  EXPECT_EQ(x.spec(), (Spec{DType::string, {3, 2, 5}}));
  EXPECT_EQ(shape_of_elements(x.spec()), (Shape{3, 2}));
  EXPECT_THAT(to_texts(x), ElementsAre("red", "green", "", "a much longer text", "Red", "blue"));
  EXPECT_THAT(to_texts(expand_dims(x, 0)),
              ElementsAre("red", "green", "", "a much longer text", "Red", "blue"));
}

TEST(Text, IsNoNumber) {
  EXPECT_THAT([] { cast(some_texts(), DType::float32); },
              ThrowsMessage<InvalidArgument>(HasSubstr("takes numbers, found text")));
  EXPECT_THAT(
      [] {
        reshape(some_texts(), {3, 10});
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("stays in its slot")));
}

TEST(LookupIndices, FindsWordsAndGivesUnknownOnesAnIndex) {
  check_text_op("texts", {some_texts()},
                [](const Tensors& in) { return lookup_indices(in[0], colours()); });
  check_text_op("texts, unknown by hash", {some_texts()},
                [](const Tensors& in) { return lookup_indices(in[0], colours(3)); });
  for (const DType dtype : {DType::int32, DType::int64})
    check_text_op("numbers", {cast(constant(std::vector<float>{7, -2, 5, 0}, {2, 2}), dtype)},
                  [](const Tensors& in) { return lookup_indices(in[0], numbers(2)); });
  EXPECT_THAT(lookup_indices(some_texts(), colours()).to_vector<int64_t>(),
              ElementsAre(2, 3, 0, 1, 1, 4));
}

TEST(LookupIndices, RefusesAWordThatHasNoIndex) {
  EXPECT_THAT([] { lookup_indices(some_texts(), colours(0)).to_vector<int64_t>(); },
              ThrowsMessage<InvalidArgument>(HasSubstr("'a much longer text' is not among the 3")));
}

TEST(LookupWords, IsTheOtherWayRound) {
  const Tensor indices = constant(std::vector<int64_t>{0, 1, 2, 4, 5, -1}, {2, 3});
  check_text_op("texts", {indices},
                [](const Tensors& in) { return lookup_words(in[0], colours()); });
  check_text_op("numbers", {indices},
                [](const Tensors& in) { return lookup_words(in[0], numbers()); });
  EXPECT_THAT(to_texts(lookup_words(indices, colours())),
              ElementsAre("", "?", "red", "blue", "?", "?"));
}

TEST(HashBins, TakeTextsAndNumbers) {
  const Tensor whole = constant(std::vector<int64_t>{0, -7, 123456789, 3}, {2, 2});
  for (const HashRule& rule : {HashRule{}, HashRule{.salt = {{3, 4}}}}) {
    check_text_op("texts", {some_texts()},
                  [&](const Tensors& in) { return hash_bins(in[0], 1000, rule); });
    check_text_op("numbers", {whole},
                  [&](const Tensors& in) { return hash_bins(in[0], 1000, rule); });
  }
  check_text_op("crossed", {some_texts(), some_texts()},
                [](const Tensors& in) { return cross_bins(in, 1000); });
}

TEST(TokenIndices, StandardizeSplitJoinAndLookUp) {
  const std::vector<std::string> values = {"Red, green!", "", " the  RED\tblue blue red green",
                                           "x"};
  for (const Shape& shape : {Shape{4, 1}, Shape{2, 2}})
    for (const Split split : {Split::none, Split::whitespace, Split::character})
      for (const std::vector<int64_t>& ngrams : {std::vector<int64_t>{}, {1, 2}, {2}})
        for (const std::optional<int64_t> length : {std::optional<int64_t>(), {3}})
          check_text_op(std::string(name_of(split)), {texts(values, shape)},
                        [&](const Tensors& in) {
                          return token_indices(in[0], {.split = split, .ngrams = ngrams}, colours(),
                                               length, 0);
                        });
}

TEST(CountIndices, CountsWhatIsInRange) {
  const Tensor rows = constant(std::vector<int64_t>{0, 2, 2, 1, 5, 1}, {2, 3});
  for (const bool is_binary : {false, true})
    check_text_op("rows", {rows},
                  [=](const Tensors& in) { return count_indices(in[0], 4, is_binary); });
  EXPECT_THAT(count_indices(rows, 3, false).to_vector(), ElementsAre(1, 0, 2, 0, 2, 0));
  const Tensor weights = constant(std::vector<float>{1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_THAT(count_indices(rows, weights, 3).to_vector(), ElementsAre(1, 0, 5, 0, 10, 0));
  EXPECT_THAT([&] { count_indices(rows - scalar(1, DType::int64), 3, false).to_vector(); },
              ThrowsMessage<InvalidArgument>(HasSubstr("is negative")));
}

TEST(Bucketize, PutsANumberOnABoundaryIntoTheUpperBucket) {
  const Tensor x = constant(std::vector<float>{-1, 0, 0.5f, 1, 9}, {5});
  EXPECT_THAT(bucketize(x, {0, 1}).to_vector<int32_t>(), ElementsAre(0, 1, 1, 2, 2));
  testing::check_op({.title = "bucketize",
                     .op = testing::recorded_op(
                         [](const Tensors& in) {
                           return bucketize(in[0], {-0.5, 0.25, 1.5});
                         },
                         {{DType::float32, {7, 3}}}),
                     .inputs = {{DType::float32, {7, 3}}},
                     .check_gradient = false});
}

}  // namespace
}  // namespace plimsoll
