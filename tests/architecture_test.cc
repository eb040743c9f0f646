// Who may include whom. A folder of plimsoll/ includes itself, base, and what its row lists; a
// stray include is a failed test. To add a folder, add its row.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {
namespace {

namespace fs = std::filesystem;
using Folders = std::set<std::string>;
using Violations = std::vector<std::string>;

constexpr size_t kMostLines = 400;

// In the order in which data flows.
const std::map<std::string, Folders>& allowed_includes() {
  static const Folders below_train = {"tensor",  "plan", "kernels", "graph",  "ops",    "engine",
                                      "formats", "data", "nn",      "record", "guards", "report"};
  static const auto with = [](Folders folders, const std::string& more) {
    folders.insert(more);
    return folders;
  };
  static const std::map<std::string, Folders> table = {
      {"base", {}},
      {"tensor", {}},
      {"plan", {}},
      {"kernels", {"tensor"}},
      {"graph", {"kernels", "tensor"}},
      {"ops", {"graph", "kernels", "tensor"}},
      {"engine", {"ops", "graph", "plan", "kernels", "tensor"}},
      {"formats", {"tensor"}},
      {"data", {"kernels", "tensor", "formats"}},
      {"nn", {"ops", "graph", "tensor"}},
      {"record", {}},
      {"guards",
       {"record", "engine", "ops", "nn", "data", "formats", "graph", "kernels", "tensor"}},
      {"report", {"record", "formats"}},
      {"train", below_train},
      {"cli", with(below_train, "train")},
  };
  return table;
}

struct Include {
  size_t line;
  std::string path;
  bool quoted;
};

struct Source {
  std::string path;    // from the root: "plimsoll/nn/layers/dense.cc"
  std::string folder;  // under plimsoll/: "nn"; empty for plimsoll/plimsoll.h
  std::vector<Include> includes;
  size_t lines = 0;

  bool is_test() const { return path.ends_with("_test.cc"); }
};

std::string_view without_leading_space(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

std::optional<Include> parse_include(std::string_view text, size_t line) {
  text = without_leading_space(text);
  if (!text.starts_with('#')) return std::nullopt;
  text = without_leading_space(text.substr(1));
  if (!text.starts_with("include")) return std::nullopt;
  text = without_leading_space(text.substr(std::string_view("include").size()));
  if (text.empty() || (text.front() != '"' && text.front() != '<')) return std::nullopt;
  const bool quoted = text.front() == '"';
  const std::string_view path = text.substr(1);
  return Include{line, std::string(path.substr(0, path.find(quoted ? '"' : '>'))), quoted};
}

// "plimsoll/nn/recurrent/lstm.cc" is of the folder "nn".
std::string folder_of(const std::string& path) {
  const size_t begin = path.find('/') + 1;
  const size_t end = path.find('/', begin);
  return end == path.npos ? "" : path.substr(begin, end - begin);
}

Source read_source(const fs::path& root, const fs::path& file) {
  Source source{.path = fs::relative(file, root).generic_string(), .folder = {}, .includes = {}};
  source.folder = folder_of(source.path);
  std::ifstream stream(file);
  for (std::string text; std::getline(stream, text);)
    if (const auto include = parse_include(text, ++source.lines))
      source.includes.push_back(*include);
  return source;
}

using Endings = std::set<std::string>;

const Endings kCpp = {".h", ".cc"};
const Endings kAllSources = {".h", ".cc", ".py", ".sh", ".js", ".css"};

std::vector<Source> read_sources(const fs::path& root, const std::string& top,
                                 const Endings& endings = kCpp) {
  std::vector<Source> sources;
  if (!fs::is_directory(root / top)) return sources;
  for (const auto& entry : fs::recursive_directory_iterator(root / top))
    if (entry.is_regular_file() && endings.contains(entry.path().extension().string()))
      sources.push_back(read_source(root, entry.path()));
  std::ranges::sort(sources, {}, &Source::path);
  return sources;
}

std::string place(const Source& source, const Include& include) {
  return source.path + ":" + std::to_string(include.line) + ": ";
}

bool names_compute_library(const Include& include) {
  return include.path.starts_with("oneapi/") || include.path.starts_with("dnnl") ||
         include.path.starts_with("hwy/");
}

bool may_include(const Source& source, const std::string& folder) {
  // The public header gathers what users need; nothing gathers the public header.
  if (source.path == "plimsoll/plimsoll.h") return folder != "cli";
  if (folder == "base" || folder == source.folder) return true;
  const auto row = allowed_includes().find(source.folder);
  return row != allowed_includes().end() && row->second.contains(folder);
}

void check_include(const Source& source, const Include& include, Violations& violations) {
  if (include.quoted &&
      (include.path.find('/') == std::string::npos || include.path.starts_with('.')))
    violations.push_back(place(source, include) + "\"" + include.path +
                         "\" is not a full path (write plimsoll/…)");
  if (source.folder != "kernels" && names_compute_library(include))
    violations.push_back(place(source, include) + "only kernels may include <" + include.path +
                         ">");
  if (!include.path.starts_with("plimsoll/")) return;
  const std::string folder = folder_of(include.path);
  if (!may_include(source, folder))
    violations.push_back(place(source, include) + (source.folder.empty() ? "this" : source.folder) +
                         " may not include " + include.path);
}

void check_folders(const fs::path& root, Violations& violations) {
  for (const auto& entry : fs::directory_iterator(root / "plimsoll")) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory() ? !allowed_includes().contains(name) : name != "plimsoll.h")
      violations.push_back("plimsoll/" + name + ": has no row in the table of folders");
  }
}

// A module is a header with its source: "plimsoll/nn/dense".
std::string module_of(const std::string& path) {
  std::string module = path.substr(0, path.rfind('.'));
  if (module.ends_with("-inl")) module.resize(module.size() - std::string_view("-inl").size());
  return module;
}

using Modules = std::map<std::string, std::set<std::string>>;

Modules included_modules(const std::vector<Source>& sources) {
  Modules modules;
  for (const Source& source : sources)
    if (!source.is_test())
      for (const Include& include : source.includes)
        if (include.path.starts_with("plimsoll/") &&
            module_of(include.path) != module_of(source.path))
          modules[module_of(source.path)].insert(module_of(include.path));
  return modules;
}

// Walks the includes of modules and reports each way that leads back to where it has been.
class CycleSearch {
 public:
  CycleSearch(const Modules& modules, Violations& violations)
      : modules_(modules), violations_(violations) {
    for (const auto& [module, included] : modules) visit(module);
  }

 private:
  void visit(const std::string& module) {
    if (finished_.contains(module)) return;
    if (const auto begin = std::ranges::find(path_, module); begin != path_.end())
      return report({begin, path_.end()});
    path_.push_back(module);
    if (const auto row = modules_.find(module); row != modules_.end())
      for (const std::string& included : row->second) visit(included);
    path_.pop_back();
    finished_.insert(module);
  }

  void report(const std::vector<std::string>& cycle) {
    std::string sentence = cycle.front();
    for (size_t i = 1; i < cycle.size(); ++i) sentence += " includes " + cycle[i];
    violations_.push_back(sentence + " includes " + cycle.front() + " again");
  }

  const Modules& modules_;
  Violations& violations_;
  std::vector<std::string> path_;
  std::set<std::string> finished_;
};

// Every breach in the tree under `root`, sorted by file, each as one sentence.
Violations violations_in(const fs::path& root) {
  Violations violations;
  check_folders(root, violations);
  const std::vector<Source> sources = read_sources(root, "plimsoll");
  for (const Source& source : sources)
    if (!source.is_test())
      for (const Include& include : source.includes) check_include(source, include, violations);
  CycleSearch(included_modules(sources), violations);
  for (const char* top : {"plimsoll", "python", "tests", "bench", "examples", "fuzz", "docs"})
    for (const Source& source : read_sources(root, top, kAllSources))
      if (source.lines > kMostLines)
        violations.push_back(source.path + ": has " + std::to_string(source.lines) +
                             " lines, at most " + std::to_string(kMostLines) + " are readable");
  return violations;
}

TEST(Architecture, HoldsInThisTree) {
  for (const std::string& violation : violations_in(PLIMSOLL_SOURCE_DIR))
    ADD_FAILURE() << violation;
  EXPECT_FALSE(read_sources(PLIMSOLL_SOURCE_DIR, "plimsoll").empty());
}

TEST(Architecture, ListsOnlyFoldersThatHaveARow) {
  for (const auto& [folder, includes] : allowed_includes())
    for (const std::string& included : includes)
      EXPECT_TRUE(allowed_includes().contains(included)) << folder << " lists " << included;
}

// Nothing may include, through others, a folder that may include it.
TEST(Architecture, HasNoCycles) {
  Folders finished;
  while (finished.size() < allowed_includes().size()) {
    const size_t before = finished.size();
    for (const auto& [folder, includes] : allowed_includes())
      if (std::ranges::includes(finished, includes)) finished.insert(folder);
    ASSERT_GT(finished.size(), before) << "the folders that are left include each other";
  }
}

class ArchitectureOfAFakeTree : public testing::Test {
 protected:
  ArchitectureOfAFakeTree() {
    std::string folder = (fs::temp_directory_path() / "plimsoll_tree_XXXXXX").string();
    if (!mkdtemp(folder.data())) throw std::runtime_error(folder + ": cannot be made");
    root_ = folder;
    fs::create_directory(root_ / "plimsoll");
  }
  ~ArchitectureOfAFakeTree() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  fs::path root_;
};

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

TEST_F(ArchitectureOfAFakeTree, AllowsWhatTheTableLists) {
  write("plimsoll/nn/layers/dense.cc",
        "#include \"plimsoll/nn/layers/dense.h\"\n#include <vector>\n#include "
        "\"plimsoll/base/error.h\"\n"
        "#include \"plimsoll/ops/linear/linear.h\"\n#include \"plimsoll/graph/tensor.h\"\n");
  write("plimsoll/kernels/conv.cc",
        "#include <oneapi/dnnl/dnnl.hpp>\n#include \"hwy/highway.h\"\n");
  write("plimsoll/plimsoll.h", "#include \"plimsoll/train/model.h\"\n");
  EXPECT_THAT(violations_in(root_), IsEmpty());
}

TEST_F(ArchitectureOfAFakeTree, NamesTheFileAndLineOfAStrayInclude) {
  write("plimsoll/nn/layers/dense.cc",
        "// Dense.\n\n  #  include <plimsoll/engine/memory/arena.h>\n");
  EXPECT_THAT(
      violations_in(root_),
      ElementsAre(
          "plimsoll/nn/layers/dense.cc:3: nn may not include plimsoll/engine/memory/arena.h"));
}

TEST_F(ArchitectureOfAFakeTree, LooksIntoFoldersInFolders) {
  write("plimsoll/plan/exact/search.h", "#include \"plimsoll/tensor/shape.h\"\n");
  EXPECT_THAT(violations_in(root_), ElementsAre(HasSubstr("plan may not include")));
}

TEST_F(ArchitectureOfAFakeTree, LetsOnlyTheCommandLineStandOnEverything) {
  write("plimsoll/cli/train.cc", "#include \"plimsoll/train/model.h\"\n");
  write("plimsoll/train/fit.cc", "#include \"plimsoll/cli/train.h\"\n");
  write("plimsoll/base/log.cc", "#include \"plimsoll/plimsoll.h\"\n");
  write("plimsoll/plimsoll.h", "#include \"plimsoll/cli/train.h\"\n");
  EXPECT_THAT(violations_in(root_), ElementsAre(StartsWith("plimsoll/base/log.cc:1:"),
                                                StartsWith("plimsoll/plimsoll.h:1:"),
                                                StartsWith("plimsoll/train/fit.cc:1:")));
}

TEST_F(ArchitectureOfAFakeTree, KeepsComputeLibrariesInKernels) {
  write("plimsoll/ops/conv.cc", "#include <oneapi/dnnl/dnnl.hpp>\n");
  write("plimsoll/ops/gemm.cc", "#include \"dnnl.h\"\n");
  write("plimsoll/engine/add.cc", "#include <hwy/highway.h>\n");
  EXPECT_THAT(violations_in(root_), testing::Contains(HasSubstr("only kernels may")).Times(3));
}

TEST_F(ArchitectureOfAFakeTree, LetsATestIncludeAnything) {
  write("plimsoll/base/log_test.cc",
        "#include \"plimsoll/cli/train.h\"\n#include <hwy/highway.h>\n");
  EXPECT_THAT(violations_in(root_), IsEmpty());
}

TEST_F(ArchitectureOfAFakeTree, AsksForFullPaths) {
  write("plimsoll/nn/layers/dense.cc", "#include \"dense.h\"\n#include \"../engine/arena.h\"\n");
  EXPECT_THAT(violations_in(root_),
              ElementsAre(HasSubstr("\"dense.h\" is not a full path"), HasSubstr("../engine")));
}

TEST_F(ArchitectureOfAFakeTree, AsksForARowForEachFolder) {
  write("plimsoll/utils/strings.h", "");
  write("plimsoll/stray.h", "");
  auto violations = violations_in(root_);
  std::ranges::sort(violations);
  EXPECT_THAT(violations,
              ElementsAre(StartsWith("plimsoll/stray.h:"), StartsWith("plimsoll/utils:")));
}

TEST_F(ArchitectureOfAFakeTree, RefusesAFileThatIsTooLong) {
  write("plimsoll/nn/fits.cc", std::string(400, '\n'));
  write("plimsoll/nn/long.cc", std::string(401, '\n'));
  write("tests/long_test.cc", std::string(401, '\n'));
  EXPECT_THAT(violations_in(root_), ElementsAre(StartsWith("plimsoll/nn/long.cc: has 401 lines"),
                                                StartsWith("tests/long_test.cc: has 401 lines")));
}

TEST_F(ArchitectureOfAFakeTree, RefusesModulesThatIncludeEachOther) {
  write("plimsoll/nn/loss.cc", "#include \"plimsoll/nn/losses/list.h\"\n");
  write("plimsoll/nn/losses/list.cc", "#include \"plimsoll/nn/losses/hinge.h\"\n");
  write("plimsoll/nn/losses/hinge.h", "#include \"plimsoll/nn/loss.h\"\n");
  write("plimsoll/nn/losses/hinge.cc", "#include \"plimsoll/nn/losses/hinge.h\"\n");
  write("plimsoll/nn/losses/list_test.cc", "#include \"plimsoll/nn/dense.h\"\n");
  EXPECT_THAT(violations_in(root_),
              ElementsAre("plimsoll/nn/loss includes plimsoll/nn/losses/list includes "
                          "plimsoll/nn/losses/hinge includes plimsoll/nn/loss again"));
}

}  // namespace
}  // namespace plimsoll
