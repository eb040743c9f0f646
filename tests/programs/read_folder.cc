// read_folder REFERENCE OURS: reads the folders of images below REFERENCE as its cases.txt says
// (tests/folders/cases.py), and writes file names, class names and arrays of each into OURS.
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "plimsoll/data/sources/image_folder.h"
#include "plimsoll/data/stages/split.h"
#include "plimsoll/formats/numpy/npz_writer.h"

namespace plimsoll {
namespace {

using Names = std::vector<std::string>;

Names between(const std::string& text, char separator) {
  Names parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

struct Case {
  explicit Case(const std::string& line) {
    const Names words = between(line, '\t');
    name = words.at(0);
    for (size_t i = 1; i < words.size(); ++i) {
      const size_t middle = words[i].find('=');
      options[words[i].substr(0, middle)] = words[i].substr(middle + 1);
    }
  }
  const std::string& operator[](const std::string& key) const { return options.at(key); }

  std::string name;
  std::map<std::string, std::string> options;
};

ImageFolderOptions folder_options(const Case& one) {
  ImageFolderOptions options{.color_mode = color_mode(one["color_mode"]),
                             .label_mode = label_mode(one["label_mode"]),
                             .class_names = between(one["classes"], '/'),
                             .interpolation = image_interpolation(one["interpolation"]),
                             .crop_to_aspect_ratio = one["crop"] == "1"};
  options.image_size = {std::stoll(one["height"]), std::stoll(one["width"])};
  return options;
}

void write_lines(const std::string& path, const Names& lines) {
  std::ofstream file(path);
  for (const std::string& line : lines) file << line << '\n';
}

void write_arrays(const Source& source, const std::string& path) {
  std::vector<NpzWriter::NamedSpec> arrays;
  for (const char* name : {"x", "y"}) {
    const Spec& field = source.fields()[arrays.size()];
    arrays.push_back({name, {field.dtype, field.shape.with(0, source.size())}});
  }
  NpzWriter writer(path, arrays);
  std::vector<std::byte> x(static_cast<size_t>(source.fields()[0].bytes()));
  std::vector<std::byte> y(static_cast<size_t>(source.fields()[1].bytes()));
  std::byte* const into[] = {x.data(), y.data()};
  for (int64_t i = 0; i < source.size(); ++i) {
    source.read(i, into);
    writer.append(0, x);
    writer.append(1, y);
  }
  writer.finish();
}

void write_part(const Source& source, const std::string& folder, const std::string& into) {
  Names names;
  for (int64_t i = 0; i < source.size(); ++i)
    names.push_back(source.name(i).substr(folder.size() + 1));
  write_lines(into + ".names", names);
  write_lines(into + ".classes", {source.class_names().begin(), source.class_names().end()});
  write_arrays(source, into + ".npz");
}

void run_case(const Case& one, const std::string& reference, const std::string& ours) {
  const std::string folder = reference + "/" + one["folder"], into = ours + "/" + one.name;
  const SourcePtr source = image_folder(folder, folder_options(one));
  const double fraction = std::stod(one["split"]);
  if (fraction == 0) return write_part(*source, folder, into + ".all");
  SplitOptions options{.validation_split = fraction};
  if (const int64_t seed = std::stoll(one["seed"]); seed >= 0) options.seed = seed;
  const SplitSources parts = split(source, options);
  write_part(*parts.train, folder, into + ".train");
  write_part(*parts.validation, folder, into + ".validation");
}

void run(const std::string& reference, const std::string& ours) {
  std::ifstream list(reference + "/cases.txt");
  for (std::string line; std::getline(list, line);) run_case(Case(line), reference, ours);
}

}  // namespace
}  // namespace plimsoll

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: read_folder REFERENCE OURS\n");
    return 2;
  }
  try {
    plimsoll::run(argv[1], argv[2]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "read_folder: %s\n", error.what());
    return 1;
  }
}
