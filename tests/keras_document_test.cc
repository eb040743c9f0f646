// docs/keras.md lists what the code knows of Keras: all of it, and nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "plimsoll/nn/layers/layer_list.h"
#include "plimsoll/nn/losses/loss_list.h"
#include "plimsoll/nn/metrics/metric_list.h"
#include "plimsoll/nn/operations/operation_list.h"
#include "plimsoll/nn/optimizers/optimizer_list.h"
#include "plimsoll/nn/optimizers/schedule_list.h"
#include "plimsoll/nn/weights/constraint.h"
#include "plimsoll/nn/weights/initializer.h"
#include "plimsoll/nn/weights/regularizer.h"
#include "plimsoll/ops/elementwise/activations.h"

namespace plimsoll {
namespace {

using Names = std::set<std::string>;

std::string text_of(const std::string& path) {
  std::ifstream file(std::string(PLIMSOLL_SOURCE_DIR) + "/" + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// One spelling for expand_dims and ExpandDims.
std::string folded(std::string name) {
  std::erase(name, '_');
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

Names folded(const Names& names) {
  Names all;
  for (const std::string& name : names) all.insert(folded(name));
  return all;
}

// The names in the document's table rows of a kind: "| layers, images | Resizing, CenterCrop |". A
// word behind a name in brackets is a remark.
Names told(const std::string& kind) {
  static const std::string document =
      std::regex_replace(text_of("docs/keras.md"), std::regex(R"( \([^)]*\))"), "");
  const std::regex row(R"(\| )" + kind + R"((?:, [^|]*)? \| ([^|]*) \|)");
  const std::regex word(R"([A-Za-z0-9_]+)");
  Names names;
  for (std::sregex_iterator r(document.begin(), document.end(), row), end; r != end; ++r) {
    const std::string list = (*r)[1];
    for (std::sregex_iterator w(list.begin(), list.end(), word); w != end; ++w)
      EXPECT_TRUE(names.insert(w->str()).second) << w->str() << " stands there twice";
  }
  return names;
}

template <class Rows>
Names class_names(const Rows& rows) {
  Names names;
  for (const auto& row : rows) names.emplace(row.class_name);
  return names;
}

// Kinds are numbered from 1, after `none`.
template <class Setting>
Names kinds() {
  Names names;
  for (int i = 1;; ++i) {
    typename Setting::Settings settings;
    settings.kind = static_cast<typename Setting::Kind>(i);
    const std::string name(Setting(settings).class_name());
    if (name.empty()) return names;
    names.insert(name);
  }
}

TEST(KerasDocument, ListsEveryLayer) {
  Names known = class_names(layer_list());
  known.insert("Input");
  EXPECT_EQ(told("layers"), known);
}

TEST(KerasDocument, ListsEveryOperation) {
  EXPECT_EQ(folded(told("operations")), folded(class_names(operation_list())));
}

TEST(KerasDocument, ListsEveryLossAndMetric) {
  Names losses;
  for (const LossKind& kind : loss_list())
    losses.emplace(kind.class_name.empty() ? kind.name : kind.class_name);
  EXPECT_EQ(told("losses"), losses);
  EXPECT_EQ(told("metrics"), class_names(metric_list()));
}

TEST(KerasDocument, ListsEveryOptimizerAndSchedule) {
  EXPECT_EQ(told("optimizers"), class_names(optimizer_list()));
  EXPECT_EQ(told("schedules"), class_names(schedule_list()));
}

TEST(KerasDocument, ListsWhatWeightsCanBeMadeWith) {
  Names initializers;
  for (const std::string_view name : initializer_names())
    initializers.emplace(Initializer(name).class_name());
  EXPECT_EQ(told("initializers"), initializers);
  EXPECT_EQ(told("regularizers"), kinds<Regularizer>());
  EXPECT_EQ(told("constraints"), kinds<Constraint>());
}

TEST(KerasDocument, ListsEveryActivation) {
  const auto names = activation_names();
  EXPECT_EQ(told("activations"), Names(names.begin(), names.end()));
}

// callbacks.h includes a header for each.
TEST(KerasDocument, ListsEveryCallback) {
  const std::string header = text_of("plimsoll/train/callbacks/callbacks.h");
  const std::regex include(R"re("plimsoll/train/callbacks/(\w+)\.h")re");
  Names known = {"history"};
  for (std::sregex_iterator i(header.begin(), header.end(), include), end; i != end; ++i)
    if ((*i)[1] != "callback") known.insert(folded((*i)[1]));
  EXPECT_EQ(folded(told("callbacks")), known);
}

}  // namespace
}  // namespace plimsoll
