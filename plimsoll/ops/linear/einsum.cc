#include "plimsoll/ops/linear/einsum.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/scope.h"
#include "plimsoll/ops/linear/linear.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

constexpr char kFirstBroadcast = '0';  // digits name the axes of "..."

struct Equation {
  std::vector<std::string> operands;
  std::string result;
};

bool has(const std::string& labels, char label) {
  return labels.find(label) != std::string::npos;
}

[[noreturn]] void refuse(const std::string& equation, const std::string& what) {
  throw InvalidArgument("einsum: '" + equation + "' " + what);
}

// "..." becomes the last `count` of the digits that name the broadcast axes, `most` in all.
std::string expanded(const std::string& labels, int count, int most) {
  const size_t dots = labels.find("...");
  if (dots == std::string::npos) return labels;
  std::string names;
  for (int i = most - count; i < most; ++i) names += static_cast<char>(kFirstBroadcast + i);
  return labels.substr(0, dots) + names + labels.substr(dots + 3);
}

// The letters that occur once, in order, after the broadcast axes.
std::string implied_result(const std::vector<std::string>& operands) {
  std::map<char, int> count;
  bool dots = false;
  for (std::string labels : operands) {
    if (const size_t at = labels.find("..."); at != std::string::npos) {
      dots = true;
      labels.erase(at, 3);
    }
    for (const char label : labels) ++count[label];
  }
  std::string result = dots ? "..." : "";
  for (const auto& [label, times] : count)
    if (times == 1) result += label;
  return result;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

Equation parse(std::string text, const Tensors& operands) {
  const std::string equation = text;
  std::erase(text, ' ');
  const size_t arrow = text.find("->");
  Equation parsed{split(text.substr(0, arrow)), ""};
  if (parsed.operands.size() != operands.size())
    refuse(equation,
           fmt::format("wants {} operands, found {}", parsed.operands.size(), operands.size()));
  parsed.result =
      arrow == std::string::npos ? implied_result(parsed.operands) : text.substr(arrow + 2);
  std::vector<int> broadcast;
  for (size_t i = 0; i < operands.size(); ++i) {
    const bool dots = has(parsed.operands[i], '.');
    const int named = static_cast<int>(parsed.operands[i].size()) - (dots ? 3 : 0);
    broadcast.push_back(operands[i].rank() - named);
    if (broadcast.back() < 0 || (!dots && broadcast.back() > 0))
      refuse(equation, fmt::format("does not fit operand {} of shape {}", i,
                                   operands[i].shape().to_string()));
  }
  const int most = *std::ranges::max_element(broadcast);
  for (size_t i = 0; i < operands.size(); ++i)
    parsed.operands[i] = expanded(parsed.operands[i], broadcast[i], most);
  parsed.result = expanded(parsed.result, most, most);
  return parsed;
}

void check(const std::string& equation, const Equation& parsed) {
  std::string all;
  for (const std::string& labels : parsed.operands) {
    all += labels;
    for (const char label : labels) {
      if (!std::isalnum(static_cast<unsigned char>(label)))
        refuse(equation, std::string("has '") + label + "', expected letters");
      if (std::ranges::count(labels, label) > 1)
        refuse(equation, std::string("has '") + label + "' twice in one operand: not supported");
    }
  }
  for (const char label : parsed.result)
    if (!has(all, label) || std::ranges::count(parsed.result, label) > 1)
      refuse(equation, std::string("has '") + label +
                           "' in its result, which must name labels of the operands, each once");
}

// Sums over the axes whose labels are not in `others`, and removes them from `labels`.
Tensor without_lonely(const Tensor& x, std::string& labels, const std::string& others) {
  std::vector<int> axes;
  std::string kept;
  for (size_t i = 0; i < labels.size(); ++i)
    if (has(others, labels[i]))
      kept += labels[i];
    else
      axes.push_back(static_cast<int>(i));
  labels = kept;
  return axes.empty() ? x : sum(x, axes);
}

// The axes in the order of `wanted`, which has the same labels.
Tensor ordered(const Tensor& x, const std::string& labels, const std::string& wanted) {
  if (labels == wanted) return x;
  std::vector<int> permutation;
  for (const char label : wanted) permutation.push_back(static_cast<int>(labels.find(label)));
  return transpose(x, std::move(permutation));
}

std::string common(const std::string& in, const std::string& also, bool wanted = true) {
  std::string found;
  for (const char label : in)
    if (has(also, label) == wanted) found += label;
  return found;
}

// The axes of two operands by their roles in the product, and the size of each.
struct Roles {
  std::string batch, rows, columns, inner;
  std::map<char, int64_t> sizes;

  Shape shape(const std::string& labels) const {
    Shape dims;
    for (const char label : labels) dims.push_back(sizes.at(label));
    return dims;
  }
  int64_t count(const std::string& labels) const { return shape(labels).elements(); }
};

void add_sizes(const std::string& equation, const Tensor& x, const std::string& labels,
               std::map<char, int64_t>& sizes) {
  for (size_t i = 0; i < labels.size(); ++i) {
    const int64_t dim = x.shape()[static_cast<int>(i)];
    int64_t& size = sizes.try_emplace(labels[i], dim).first->second;
    if (size != dim && size != 1 && dim != 1)
      refuse(equation, fmt::format("{}{}' of {} and of {}", "has axes '", labels[i], size, dim));
    size = std::max(size, dim);
  }
}

// A batch axis or a summed axis of size 1 is repeated to the size of the other operand's.
Tensor stretched(const Tensor& x, const std::string& labels, const Roles& roles) {
  const Shape shape = roles.shape(labels);
  return x.shape() == shape ? x : broadcast_to(x, shape);
}

Tensor product(const std::string& equation, Tensor a, Tensor b, Equation parsed) {
  std::string &left = parsed.operands[0], &right = parsed.operands[1];
  const std::string& result = parsed.result;
  a = without_lonely(a, left, right + result);
  b = without_lonely(b, right, left + result);
  Roles roles;
  add_sizes(equation, a, left, roles.sizes);
  add_sizes(equation, b, right, roles.sizes);
  const std::string both = common(left, right);
  roles.batch = common(result, both);
  roles.inner = common(both, result, false);
  roles.rows = common(common(result, left), both, false);
  roles.columns = common(common(result, right), both, false);
  a = stretched(a, left, roles);
  b = stretched(b, right, roles);
  // A matrix may come in either orientation: the product transposes it while it reads.
  const bool inner_first = left == roles.batch + roles.inner + roles.rows;
  const bool inner_last = right == roles.batch + roles.columns + roles.inner;
  if (!inner_first) a = ordered(a, left, roles.batch + roles.rows + roles.inner);
  if (!inner_last) b = ordered(b, right, roles.batch + roles.inner + roles.columns);
  const int64_t batch = roles.count(roles.batch), rows = roles.count(roles.rows);
  const int64_t columns = roles.count(roles.columns), inner = roles.count(roles.inner);
  a = reshape(a, {batch, inner_first ? inner : rows, inner_first ? rows : inner});
  b = reshape(b, {batch, inner_last ? columns : inner, inner_last ? inner : columns});
  if (roles.batch.empty()) {
    a = reshape(a, {a.shape()[1], a.shape()[2]});
    b = reshape(b, {b.shape()[1], b.shape()[2]});
  }
  const std::string made = roles.batch + roles.rows + roles.columns;
  const Tensor y = matmul(a, b, {.transpose_a = inner_first, .transpose_b = inner_last});
  return ordered(reshape(y, roles.shape(made)), made, result);
}

}  // namespace

Tensor einsum(const std::string& equation, const Tensors& operands, Place where) {
  const CallSite site(where);
  if (operands.empty() || operands.size() > 2)
    refuse(equation,
           fmt::format("has {} operands; only one or two are supported", operands.size()));
  Equation parsed = parse(equation, operands);
  check(equation, parsed);
  if (operands.size() == 2) return product(equation, operands[0], operands[1], parsed);
  std::string& labels = parsed.operands[0];
  const Tensor x = without_lonely(operands[0], labels, parsed.result);
  return ordered(x, labels, parsed.result);
}

}  // namespace plimsoll
