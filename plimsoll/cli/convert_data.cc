#include "plimsoll/cli/convert_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/base/error.h"
#include "plimsoll/base/printable.h"
#include "plimsoll/base/stop_signals.h"
#include "plimsoll/cli/row_progress.h"
#include "plimsoll/cli/wrong_usage.h"
#include "plimsoll/data/kinds/open_fields.h"
#include "plimsoll/formats/numpy/npy_writer.h"
#include "plimsoll/formats/numpy/npz_writer.h"

namespace plimsoll::cli {
namespace {

// Gives the rows of each field to `write`, a few MiB at a time.
template <class Write>
void copy_rows(const Source& records, const Write& write) {
  constexpr int64_t kChunkBytes = 4 << 20;
  int64_t record_bytes = 1;
  for (const Spec& field : records.fields()) record_bytes += field.bytes();
  const int64_t chunk = std::clamp<int64_t>(kChunkBytes / record_bytes, 1, 1 << 16);
  RowProgress progress("convert", records.size());
  std::vector<std::vector<std::byte>> rows;
  for (const Spec& field : records.fields())
    rows.emplace_back(static_cast<size_t>(chunk * field.bytes()));
  for (int64_t first = 0; first < records.size(); first += chunk) {
    StopSignals::check();
    const int64_t count = std::min(chunk, records.size() - first);
    std::vector<std::byte*> places;
    for (auto& field : rows) places.push_back(field.data());
    records.read_run(first, count, places);
    for (size_t i = 0; i < rows.size(); ++i)
      write(i, std::span<const std::byte>(rows[i]).first(
                   static_cast<size_t>(count * records.fields()[i].bytes())));
    progress.add(count);
  }
}

Spec whole(const Source& records, size_t field) {
  const Spec& spec = records.fields()[field];
  return {spec.dtype, spec.shape.with(0, records.size())};
}

void write_npz(const NamedFields& data, const std::string& to) {
  std::vector<NpzWriter::NamedSpec> arrays;
  for (size_t i = 0; i < data.names.size(); ++i)
    arrays.push_back({data.names[i], whole(*data.records, i)});
  NpzWriter writer(to, arrays);
  copy_rows(*data.records, [&](size_t i, auto bytes) { writer.append(i, bytes); });
  writer.finish();
}

void write_single(const NamedFields& data, const std::string& to) {
  if (data.names.size() != 1)
    throw InvalidArgument(fmt::format(
        "{}: a .npy file holds one array, but the data has {}; choose one with --array, or "
        "write a .npz file",
        to, fmt::join(data.names, ", ")));
  NpyWriter writer(to, whole(*data.records, 0));
  copy_rows(*data.records, [&](size_t, auto bytes) { writer.append(bytes); });
  writer.finish();
}

std::string write_classes(const Source& records, const std::string& data_path) {
  const auto names = records.class_names();
  if (names.empty()) return {};
  const std::string path =
      std::filesystem::path(data_path).replace_extension(".classes.json").string();
  nlohmann::json list = nlohmann::json::array();
  for (const std::string& name : names) list.push_back(valid_utf8(name));
  write_file(path, list.dump(2) + "\n");
  return path;
}

}  // namespace

std::string convert_data(const DataArguments& from, const std::string& to, Findings& findings) {
  DataOptions options = data_options(from, findings);
  if (!from.classes.empty()) options.class_names = read_classes(from.classes);
  const NamedFields data = open_as_it_is(from.path, options);
  if (!from.classes.empty() && data.records->class_names().empty())
    throw WrongUsage(fmt::format(
        "convert: --classes is for folders of images and for a --target of names; {} has "
        "no names of classes",
        from.path));
  if (to.ends_with(".npz"))
    write_npz(data, to);
  else if (to.ends_with(".npy"))
    write_single(data, to);
  else
    throw InvalidArgument(fmt::format("{}: data is written as .npy or .npz", to));
  return write_classes(*data.records, to);
}

}  // namespace plimsoll::cli
