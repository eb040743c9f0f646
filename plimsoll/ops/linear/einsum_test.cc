#include "plimsoll/ops/linear/einsum.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/graph/node.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::vector<float> numbers(const Shape& shape, int salt) {
  std::vector<float> values(static_cast<size_t>(shape.elements()));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(std::sin(1.7 * static_cast<double>(i) + salt));
  return values;
}

// A loop over every assignment of the letters, as the definition says.
std::vector<float> by_definition(const std::vector<std::string>& labels, const std::string& result,
                                 const std::vector<Shape>& shapes,
                                 const std::vector<std::vector<float>>& values) {
  std::map<char, int64_t> size, at;
  for (size_t k = 0; k < labels.size(); ++k)
    for (size_t i = 0; i < labels[k].size(); ++i)
      size[labels[k][i]] = shapes[k][static_cast<int>(i)];
  const auto place = [&](const std::string& names) {
    int64_t index = 0;
    for (const char name : names) index = index * size[name] + at[name];
    return static_cast<size_t>(index);
  };
  int64_t all = 1, made = 1;
  for (const auto& [name, dim] : size) all *= dim;
  for (const char name : result) made *= size[name];
  std::vector<float> y(static_cast<size_t>(made), 0);
  for (int64_t i = 0; i < all; ++i) {
    int64_t rest = i;
    for (const auto& [name, dim] : size) {
      at[name] = rest % dim;
      rest /= dim;
    }
    float term = 1;
    for (size_t k = 0; k < labels.size(); ++k) term *= values[k][place(labels[k])];
    y[place(result)] += term;
  }
  return y;
}

void check(const std::string& left, const std::string& right, const std::string& result) {
  const std::map<char, int64_t> dims = {{'a', 2}, {'b', 3}, {'c', 4}, {'d', 5}, {'e', 2}, {'f', 3}};
  SCOPED_TRACE(left + "," + right + "->" + result);
  std::vector<std::string> labels = {left};
  if (!right.empty()) labels.push_back(right);
  std::vector<Shape> shapes;
  std::vector<std::vector<float>> values;
  Tensors operands;
  for (const std::string& names : labels) {
    Shape shape;
    for (const char name : names) shape.push_back(dims.at(name));
    shapes.push_back(shape);
    values.push_back(numbers(shape, static_cast<int>(shapes.size())));
    operands.push_back(constant(values.back(), shape));
  }
  const std::string equation = left + (right.empty() ? "" : "," + right) + "->" + result;
  const std::vector<float> y = einsum(equation, operands).to_vector();
  const std::vector<float> expected = by_definition(labels, result, shapes, values);
  ASSERT_EQ(y.size(), expected.size());
  for (size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], expected[i], 1e-5);
}

TEST(Einsum, SumsProductsAsTheDefinitionSays) {
  check("abc", "acd", "abd");
  check("abc", "abd", "acd");
  check("abc", "adc", "abd");
  check("abc", "cd", "abd");
  check("abc", "cde", "abde");  // MultiHeadAttention's projections
  check("abcd", "cde", "abe");
  check("abcd", "aecd", "acbe");  // its scores
  check("acbe", "aecd", "abcd");
  check("ab", "cd", "acbd");
  check("ab", "ab", "ab");
  check("ab", "ab", "");
  check("abc", "ade", "ae");  // letters that only one has
  check("a", "a", "a");
  check("a", "b", "ba");
  check("dcab", "bdca", "dac");
  check("abc", "", "ca");
  check("abc", "", "");
}

TEST(Einsum, BroadcastsDots) {
  const Tensor a = constant(numbers({2, 3, 4}, 1), {2, 3, 4}),
               b = constant(numbers({4, 5}, 2), {4, 5});
  EXPECT_EQ(einsum("...i,ij->...j", {a, b}).to_vector(), einsum("abi,ij->abj", {a, b}).to_vector());
  EXPECT_EQ(einsum("...ij,...jk", {a, b}).shape(), (Shape{2, 3, 5}));
  const Tensor one = constant(numbers({1, 3, 4}, 3), {1, 3, 4});
  EXPECT_EQ(einsum("...ij,...ij->...i", {a, one}).shape(), (Shape{2, 3}));
}

TEST(Einsum, ImpliesItsResult) {
  const Tensor a = constant(numbers({2, 3}, 1), {2, 3}), b = constant(numbers({3, 4}, 2), {3, 4});
  EXPECT_EQ(einsum("ij, jk", {a, b}).shape(), (Shape{2, 4}));
  EXPECT_EQ(einsum("ba", {a}).shape(), (Shape{3, 2}));
}

TEST(Einsum, HasGradients) {
  const Tensor a = constant(numbers({2, 3, 4}, 1), {2, 3, 4}),
               b = constant(numbers({4, 5}, 2), {4, 5});
  const Tensors sources = {a, b};
  const Tensors flowed = gradients(einsum("abc,cd->dab", sources), sources);
  EXPECT_EQ(flowed[0].shape(), a.shape());
  const std::vector<float> da = flowed[0].to_vector(), row = einsum("cd->c", {b}).to_vector();
  for (size_t i = 0; i < da.size(); ++i) EXPECT_NEAR(da[i], row[i % 4], 1e-5);
}

TEST(Einsum, RefusesWhatItCannotRead) {
  const Tensor a = placeholder({{}, {2, 3}}), b = placeholder({{}, {4, 5}});
  EXPECT_THAT(([&] {
                einsum("ij,jk->ik", {a, b});
              }),
              ThrowsMessage<InvalidArgument>(HasSubstr("axes 'j' of 3 and of 4")));
  EXPECT_THAT(([&] {
                einsum("ij->i", {a, b});
              }),
              ThrowsMessage<InvalidArgument>(HasSubstr("wants 1 operands, found 2")));
  EXPECT_THROW(einsum("ii->i", {a}), InvalidArgument);
  EXPECT_THROW(einsum("ij->k", {a}), InvalidArgument);
  EXPECT_THROW(einsum("ijk->i", {a}), InvalidArgument);
  EXPECT_THROW(einsum("i->i", {a}), InvalidArgument);
  EXPECT_THROW(einsum("i?->i", {a}), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
