// No function is longer than a screen, but for tables and switches, which are listed here. The
// sources are clang-formatted: what begins a block has the indentation of the "}" that ends it, a
// function ends with "}" alone, and a class with "};". A function of Python ends before the first
// line that is indented no more than its head.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr size_t kMostLines = 60;

const std::set<std::string>& tables() {
  static const std::set<std::string> names = {
      "bench/elementwise_bench.cc: cases",
      "plimsoll/cli/run_options.cc: options_json",
      "plimsoll/guards/doctor/causes.cc: known_causes",
      "plimsoll/nn/layers/layer_rows_attention.cc: attention_layer_rows",
      "plimsoll/nn/layers/layer_rows_augmentation.cc: augmentation_layer_rows",
      "plimsoll/nn/layers/layer_rows_elementwise.cc: elementwise_layer_rows",
      "plimsoll/nn/layers/layer_rows_recurrent.cc: recurrent_layer_rows",
      "plimsoll/nn/layers/layer_rows_volume.cc: volume_layer_rows",
      "plimsoll/nn/operations/operation_list.cc: kinds",
      "plimsoll/ops/elementwise/elementwise_reference.cc: evaluate_function",
      "plimsoll/ops/op_list.cc: op_names",
      "python/bindings/data.cc: bind_data",
      "python/bindings/ops.cc: bind_elementwise",
  };
  return names;
}

using Lines = std::vector<std::string>;

// The lines of a text; those that end a raw string or are inside of one are empty.
Lines code_lines(std::istream& text) {
  Lines lines;
  std::string end_of_raw;
  for (std::string line; std::getline(text, line);) {
    const std::string& kept = lines.emplace_back(end_of_raw.empty() ? line : "");
    if (!end_of_raw.empty()) {
      if (line.find(end_of_raw) != line.npos) end_of_raw.clear();
      continue;
    }
    const size_t raw = kept.find("R\"");
    const size_t open = raw == kept.npos ? raw : kept.find('(', raw);
    if (open == kept.npos) continue;
    const std::string end = ")" + kept.substr(raw + 2, open - raw - 2) + "\"";
    if (kept.find(end, open) == kept.npos) end_of_raw = end;
  }
  return lines;
}

struct Function {
  std::string name;
  size_t line, lines;
};

// "bind_data" of "void bind_data(nb::module_& module) {".
std::string name_in(std::string_view head) {
  head = head.substr(0, head.find('('));
  const size_t before = head.find_last_of(" *&");
  return std::string(head.substr(before == head.npos ? 0 : before + 1));
}

bool begins_class(std::string_view head) {
  return head.starts_with("class ") || head.starts_with("struct ") || head.starts_with("union ");
}

// Adds the functions of lines [begin, end) whose first line has this indentation, and those of
// classes in there.
void find_functions(const Lines& lines, size_t begin, size_t end, size_t indentation,
                    std::vector<Function>& found) {
  size_t start = begin;
  for (size_t i = begin; i < end; ++i) {
    if (lines[i].find_first_not_of(' ') != indentation) continue;
    const std::string_view text = std::string_view(lines[i]).substr(indentation);
    const std::string_view head = std::string_view(lines[start]).substr(indentation);
    if (text == "}")
      found.push_back({name_in(head), start + 1, i - start + 1});
    else if (text.starts_with("};") && begins_class(head))
      find_functions(lines, start + 1, i, indentation + 2, found);
    else if (text[0] != '}' && text[0] != '#' && !text.starts_with("//"))
      start = i;
  }
}

std::vector<Function> functions_in(std::istream& text) {
  std::vector<Function> found;
  const Lines lines = code_lines(text);
  find_functions(lines, 0, lines.size(), 0, found);
  return found;
}

// Lines with the text of strings of several lines left out: it may have any indentation.
Lines python_lines(std::istream& text) {
  Lines lines;
  std::string quotes;  // of the string that is open
  for (std::string line; std::getline(text, line);) {
    lines.push_back(quotes.empty() ? line : "");
    for (size_t at = 0; at < line.size(); ++at) {
      const std::string three = line.substr(at, 3);
      if (quotes.empty() && line[at] == '#') break;
      if (quotes.empty() ? three != R"(""")" && three != "'''" : three != quotes) continue;
      quotes = quotes.empty() ? three : "";
      at += 2;
    }
  }
  return lines;
}

// "fit" of "async def fit(self):"; empty: no function begins here.
std::string python_function(std::string_view head) {
  if (head.starts_with("async ")) head.remove_prefix(6);
  if (!head.starts_with("def ")) return "";
  return std::string(head.substr(4, head.find('(') - 4));
}

std::vector<Function> python_functions_in(std::istream& text) {
  std::vector<Function> found;
  const Lines lines = python_lines(text);
  for (size_t i = 0; i < lines.size(); ++i) {
    const size_t indentation = lines[i].find_first_not_of(' ');
    if (indentation == std::string::npos) continue;
    const std::string name = python_function(std::string_view(lines[i]).substr(indentation));
    if (name.empty()) continue;
    size_t last = i;
    for (size_t k = i + 1; k < lines.size(); ++k) {
      const size_t place = lines[k].find_first_not_of(' ');
      if (place == std::string::npos) continue;
      // A head of several lines ends with ")" below its "def".
      if (place <= indentation && lines[k][place] != ')') break;
      last = k;
    }
    found.push_back({name, i + 1, last - i + 1});
  }
  return found;
}

// The names of functions that are too long, "file: name".
std::set<std::string> long_functions(const fs::path& root) {
  std::set<std::string> names;
  for (const char* top : {"plimsoll", "python", "tests", "bench", "examples", "fuzz"})
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cc" && extension != ".py") continue;
      std::ifstream file(entry.path());
      for (const Function& function :
           extension == ".py" ? python_functions_in(file) : functions_in(file))
        if (function.lines > kMostLines)
          names.insert(fs::relative(entry.path(), root).generic_string() + ": " + function.name);
    }
  return names;
}

// A table that has become short is no longer listed.
TEST(FunctionLengths, OnlyTablesAreLong) {
  EXPECT_EQ(long_functions(PLIMSOLL_SOURCE_DIR), tables());
}

std::vector<std::string> found_in(const std::string& text, bool is_python = false) {
  std::istringstream stream(text);
  std::vector<std::string> found;
  for (const Function& one : is_python ? python_functions_in(stream) : functions_in(stream))
    found.push_back(fmt::format("{} {}+{}", one.name, one.line, one.lines));
  return found;
}

TEST(FunctionLengths, CountsFromTheHeadToTheBrace) {
  EXPECT_THAT(
      found_in("namespace a {\n\n// A comment.\ntemplate <class T>\nint* first(int a,\n"
               "           int b) {\n  if (a) {\n    b;\n  }\n}\n\nint second() { return 1; "
               "}\n\n}  // namespace a\n"),
      ElementsAre("first 5+6"));
}

TEST(FunctionLengths, LooksIntoClassesAndNotIntoTables) {
  EXPECT_THAT(
      found_in("class A final : public B {\n public:\n  void one() const override {\n"
               "    two();\n  }\n\n private:\n  struct C {\n    void three() {\n      four();\n"
               "    }\n  };\n};\n"),
      ElementsAre("one 3+3", "three 9+3"));
  EXPECT_THAT(found_in("constexpr int kTable[] = {\n    1,\n    2,\n};\n"), IsEmpty());
}

TEST(FunctionLengths, KnowsTryBlocksDirectivesAndRawStrings) {
  EXPECT_THAT(found_in("bool a() try {\n  b();\n} catch (const Error&) {\n  c();\n}\n"),
              ElementsAre("a 1+5"));
  EXPECT_THAT(found_in("void a() {\n#ifdef B\n  b();\n#endif\n}\n"), ElementsAre("a 1+5"));
  EXPECT_THAT(found_in("void a() {\n  b(R\"(\nline\n}\n)\");\n}\n"), ElementsAre("a 1+6"));
}

TEST(FunctionLengths, CountsThoseOfPythonByTheirIndentation) {
  constexpr bool kPython = true;
  EXPECT_THAT(found_in("def a(\n    b,\n):\n    c()\n\n    d()\n\n\ne = a(1)\n", kPython),
              ElementsAre("a 1+6"));
  EXPECT_THAT(found_in("class A:\n    async def b(self):\n        def c():\n            d()\n"
                       "        return c\n\n    e = 1\n",
                       kPython),
              ElementsAre("b 2+4", "c 3+2"));
  EXPECT_THAT(found_in("def a():\n    \"\"\"One.\n\nTwo:\n\"\"\"\n    b()\n", kPython),
              ElementsAre("a 1+6"));
}

}  // namespace
}  // namespace plimsoll
