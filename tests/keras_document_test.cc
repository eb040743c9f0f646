// docs/keras.md and nn.h have what the rows of the code list: all of it, and nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "plimsoll/nn/keras/refused_layers.h"
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

// The names in the document's table rows of a kind: "| layers, images | Resizing, CenterCrop |". A
// word after a name in brackets is a remark.
Names told(const std::string& kind) {
  static const std::string document =
      std::regex_replace(text_of("docs/keras.md"), std::regex(R"( \([^)]*\))"), "");
  const std::regex row(R"(\| )" + kind + R"((?:, [^|]*)? \| ([^|]*) \|)");
  const std::regex word(R"([A-Za-z0-9_]+)");
  Names names;
  for (std::sregex_iterator r(document.begin(), document.end(), row), end; r != end; ++r) {
    const std::string list = (*r)[1];
    for (std::sregex_iterator w(list.begin(), list.end(), word); w != end; ++w)
      EXPECT_TRUE(names.insert(w->str()).second)
          << "docs/keras.md: " << w->str() << " is there twice";
  }
  return names;
}

bool has(const Names& names, const std::string& name) {
  return std::ranges::any_of(names,
                             [&](const std::string& n) { return folded(n) == folded(name); });
}

// The rows of a kind list what is known and nothing else. Each failure says what to write.
void expect_listed(const std::string& kind, const Names& known) {
  const Names listed = told(kind);
  for (const std::string& name : known)
    EXPECT_TRUE(has(listed, name))
        << "docs/keras.md: add " << name << " to a row '| " << kind << " | … |'";
  for (const std::string& name : listed)
    EXPECT_TRUE(has(known, name)) << "docs/keras.md: take " << name << " out of the row '| " << kind
                                  << " | … |', for the code does not know it";
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

Names loss_names() {
  Names names;
  for (const LossKind& kind : loss_list())
    names.emplace(kind.class_name.empty() ? kind.name : kind.class_name);
  return names;
}

TEST(KerasDocument, ListsEveryLayer) {
  Names known = class_names(layer_list());
  known.insert("Input");
  expect_listed("layers", known);
}

TEST(KerasDocument, GivesTheReasonOfEveryRefusedLayer) {
  const std::string document = text_of("docs/keras.md");
  for (const RefusedLayer& refused : refused_layers()) {
    const std::string row =
        "| " + std::string(refused.class_name) + " | " + std::string(refused.reason) + " |";
    EXPECT_NE(document.find(row), std::string::npos) << "docs/keras.md: add the row " << row;
    EXPECT_EQ(find_layer(refused.class_name), nullptr) << refused.class_name << " is read";
  }
}

// Keras's functions are named as its classes, but in small letters.
TEST(KerasDocument, ListsEveryOperation) {
  Names known;
  for (const OperationKind& kind : operation_list()) known.insert(snake_case(kind.class_name));
  expect_listed("operations", known);
}

TEST(KerasDocument, ListsEveryLossAndMetric) {
  expect_listed("losses", loss_names());
  expect_listed("metrics", class_names(metric_list()));
}

TEST(KerasDocument, ListsEveryOptimizerAndSchedule) {
  expect_listed("optimizers", class_names(optimizer_list()));
  expect_listed("schedules", class_names(schedule_list()));
}

TEST(KerasDocument, ListsWhatWeightsCanBeMadeWith) {
  Names initializers;
  for (const std::string_view name : initializer_names())
    initializers.emplace(Initializer(name).class_name());
  expect_listed("initializers", initializers);
  expect_listed("regularizers", kinds<Regularizer>());
  expect_listed("constraints", kinds<Constraint>());
}

TEST(KerasDocument, ListsEveryActivation) {
  const auto names = activation_names();
  expect_listed("activations", Names(names.begin(), names.end()));
}

// callbacks.h includes a header for each.
TEST(KerasDocument, ListsEveryCallback) {
  const std::string header = text_of("plimsoll/train/callbacks/callbacks.h");
  const std::regex include(R"re("plimsoll/train/callbacks/(\w+)\.h")re");
  Names known = {"history"};
  for (std::sregex_iterator i(header.begin(), header.end(), include), end; i != end; ++i)
    if ((*i)[1] != "callback") known.insert((*i)[1]);
  expect_listed("callbacks", known);
}

// By the name of each class that has a row, the header under plimsoll/nn that declares it.
std::map<std::string, std::string> headers_of_rows() {
  Names names = loss_names();
  for (const Names& more : {class_names(layer_list()), class_names(metric_list()),
                            class_names(optimizer_list()), class_names(schedule_list())})
    names.insert(more.begin(), more.end());
  const std::filesystem::path root = PLIMSOLL_SOURCE_DIR;
  const std::regex declaration(R"(struct (\w+) : \w+ \{)");
  std::map<std::string, std::string> headers;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "plimsoll/nn")) {
    if (entry.path().extension() != ".h") continue;
    const std::string path = std::filesystem::relative(entry.path(), root), text = text_of(path);
    for (std::sregex_iterator i(text.begin(), text.end(), declaration), end; i != end; ++i)
      if (names.contains((*i)[1])) headers[(*i)[1]] = path;
  }
  return headers;
}

// A program that includes nn.h can name every class that has a row.
TEST(NnHeader, IncludesWhatEveryRowIsDeclaredIn) {
  const std::string all = text_of("plimsoll/nn/nn.h");
  const auto headers = headers_of_rows();
  EXPECT_GT(headers.size(), 100u);
  for (const auto& [name, path] : headers)
    EXPECT_NE(all.find('"' + path + '"'), std::string::npos)
        << "plimsoll/nn/nn.h: add, for " << name << ":\n#include \"" << path << '"';
}

}  // namespace
}  // namespace plimsoll
