#include "plimsoll/cli/check_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/cli/open_records.h"
#include "plimsoll/cli/row_progress.h"
#include "plimsoll/cli/stop_signals.h"
#include "plimsoll/data/check/check_records.h"
#include "plimsoll/data/check/table_to_check.h"
#include "plimsoll/data/sources/image_folder.h"
#include "plimsoll/formats/tables/csv_reader.h"
#include "plimsoll/train/data/check_against_model.h"
#include "plimsoll/train/data/data_files.h"

namespace plimsoll::cli {
namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// --- tables

// The columns that a model with an input for each of some does not look at.
Names unused_columns(const std::string& path, const Model& model, const DataOptions& options) {
  CsvReader reader(file_source(path));
  Names columns, inputs, unused;
  reader.next();
  for (int64_t i = 0; i < reader.fields(); ++i) columns.emplace_back(reader.field(i));
  for (const Port& port : model.network().inputs()) inputs.push_back(port.name);
  if (!std::ranges::all_of(inputs, [&](const auto& name) { return contains(columns, name); }))
    return {};
  for (const std::string& column : columns)
    if (!contains(inputs, column) && !contains(options.target, column)) unused.push_back(column);
  return unused;
}

TableToCheck read_table(const std::string& path, const Model* model, const DataOptions& options) {
  TableToCheckOptions table{.targets = options.target,
                            .ignored = options.ignored,
                            .class_names = options.class_names,
                            .missing = options.missing};
  if (model != nullptr) {
    if (options.target.empty())
      throw InvalidArgument(fmt::format("{}: name the column to learn with --target", path));
    const Names unused = unused_columns(path, *model, options);
    table.ignored.insert(table.ignored.end(), unused.begin(), unused.end());
  }
  return open_table_to_check(path, table);
}

// What the model says of the fields; the table knows the columns.
std::vector<FieldToCheck> merged(std::vector<FieldToCheck> by_model,
                                 const std::vector<FieldToCheck>& by_table) {
  if (by_model.size() != by_table.size()) return by_model;
  for (size_t i = 0; i < by_model.size(); ++i) by_model[i].columns = by_table[i].columns;
  return by_model;
}

DataToCheck open_table(const std::string& path, const Model* model, const DataOptions& options) {
  TableToCheck table = read_table(path, model, options);
  DataToCheck data{.source = table.records, .options = {.fields = table.fields}};
  data.options.known = std::move(table.bad);
  data.warnings = std::move(table.warnings);
  if (model == nullptr) return data;
  if (data.options.known.empty()) {
    data.source = table.records = nullptr;
    const Dataset opened = open_data(path, *model, options).data;
    data.source = opened.source;
    data.options.fields = merged(fields_to_check(*model, opened), table.fields);
  } else if (auto fields = fields_to_check(*model, Dataset(table.records));
             fields.size() == table.fields.size()) {
    data.options.fields = merged(std::move(fields), table.fields);
  }
  return data;
}

// --- the others

bool has_folders(const std::string& path) {
  for (const auto& entry : std::filesystem::directory_iterator(path))
    if (entry.is_directory() && !entry.path().filename().string().starts_with(".")) return true;
  return false;
}

std::vector<FieldToCheck> fields_by_name(const Names& names) {
  std::vector<FieldToCheck> fields;
  for (const std::string& name : names) {
    fields.push_back({.name = name});
    if (name == "y") fields.back().role = FieldRole::target;
    if (name == "sample_weight") fields.back().role = FieldRole::weight;
  }
  return fields;
}

DataToCheck open_as_it_is(const DataArguments& from, const Names& classes, Findings& findings) {
  const bool is_folder = find_data(from.path).kind == DataKind::images;
  DataToCheck data;
  data.options.are_images = is_folder;
  if (is_folder) {
    const DataOptions options = data_options(from, findings);
    ImageFolderOptions images{.class_names = classes};
    if (options.image_size) images.image_size = *options.image_size;
    if (!has_folders(from.path)) images.label_mode = LabelMode::none;
    data.source = image_folder(from.path, images);
    data.options.fields = fields_by_name({"x", "y"});
    return data;
  }
  const NamedRecords named = open_records(from, "", findings);
  data.source = named.records;
  data.options.fields = fields_by_name(named.names);
  return data;
}

DataToCheck open_for(const Model& model, const std::string& path, const DataOptions& options) {
  const OpenedData opened = open_data(path, model, options);
  DataToCheck data{.source = opened.data.source, .options = {}};
  data.options.fields = fields_to_check(model, opened.data);
  data.options.are_images = opened.kind == DataKind::images;
  return data;
}

}  // namespace

DataToCheck open_to_check(const DataArguments& from, const Model* model, const Names& classes,
                          Findings& findings) {
  DataOptions options = data_options(from, findings);
  options.class_names = classes;
  if (is_table(from.path)) return open_table(from.path, model, options);
  return model == nullptr ? open_as_it_is(from, classes, findings)
                          : open_for(*model, from.path, options);
}

CheckReport check_data(const DataToCheck& data, const std::string& path, const Model* model) {
  RowProgress progress("check", data.source->size());
  CheckOptions options = data.options;
  options.progress = [&progress, last = int64_t{0}](int64_t done) mutable {
    StopSignals::check();
    progress.add(done - last);
    last = done;
  };
  CheckReport report = check_records(*data.source, options);
  report.warnings.insert(report.warnings.begin(), data.warnings.begin(), data.warnings.end());
  if (model != nullptr) check_against_model(*model, path, report);
  return report;
}

}  // namespace plimsoll::cli
