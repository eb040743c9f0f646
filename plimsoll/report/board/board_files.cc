#include "plimsoll/report/board/board_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/report_finding.h"
#include "plimsoll/formats/archives/json.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string new_owner() {
  std::random_device random;
  return fmt::format("plimsoll-{:08x}", random());
}

std::string name_of(const std::string& path) {
  return fs::path(path).filename().string();
}

// What a checkpoint says comes from a file: its names lead to no folder but those of the board, and
// to no files but those that a board has written.
bool is_folder_name(const std::string& name) {
  return name.find('/') == name.npos && name.find('\0') == name.npos && !name.starts_with('.');
}

bool is_owner(std::string_view owner) {
  constexpr std::string_view kBegin = "plimsoll-";
  return owner.size() == kBegin.size() + 8 && owner.starts_with(kBegin) &&
         owner.find_first_not_of("0123456789abcdef", kBegin.size()) == owner.npos;
}

bool is_file_of(const std::string& owner, const std::string& name) {
  return is_folder_name(name) && name.starts_with("events.out.tfevents.") &&
         name.find("." + owner + ".") != name.npos;
}

bool is_link(const fs::path& path) {
  std::error_code error;
  return fs::is_symlink(fs::symlink_status(path, error));
}

// Where it has become shorter, points are lost; that is no reason to lose the run.
void cut(const std::string& path, int64_t size) {
  std::error_code error;
  if (is_link(path)) return;
  const auto now = fs::file_size(path, error);
  if (!error && now > static_cast<uintmax_t>(size))
    fs::resize_file(path, static_cast<uintmax_t>(size), error);
  else if (!error && now < static_cast<uintmax_t>(size))
    error = std::make_error_code(std::errc::result_out_of_range);
  if (error)
    report({.severity = Finding::Severity::warning,
            .where = path,
            .what = fmt::format("is not as it was when the run was last saved ({}); TensorBoard "
                                "may show some steps twice or not at all",
                                error.message())});
}

}  // namespace

BoardFiles::BoardFiles(std::string folder, Steps steps)
    : folder_(std::move(folder)), steps_(steps), owner_(new_owner()) {}

std::string BoardFiles::path_of(const std::string& name) const {
  return name.empty() ? folder_ : folder_ + "/" + name;
}

EventFile& BoardFiles::file_of(const std::string& name) {
  const auto found = open_.find(name);
  if (found != open_.end()) return found->second;
  return open_.emplace(name, EventFile(path_of(name), {.owner = owner_})).first->second;
}

// Of a folder whose steps rise, the first step of a file replaces what older files have from there
// on.
void BoardFiles::add(const std::string& name, std::span<const std::string> values, int64_t step) {
  if (values.empty()) return;
  EventFile& file = file_of(name);
  const bool rises = steps_ == Steps::alike && !name.empty();
  if (rises && started_.insert(name).second) file.add_start(step);
  file.add(values, step);
}

void BoardFiles::add_graph(const std::string& name, std::string_view graph) {
  file_of(name).add_graph(graph);
}

void BoardFiles::close() {
  for (auto& [name, file] : open_) closed_[name].push_back({name_of(file.path()), file.size()});
  open_.clear();
  started_.clear();
}

std::string BoardFiles::state() {
  Json files = Json::object();
  for (const auto& [name, written] : closed_)
    for (const Written& each : written) files[name].push_back(Json{each.file, each.size});
  for (auto& [name, file] : open_) {
    file.sync();
    files[name].push_back(Json{name_of(file.path()), file.size()});
  }
  return Json{{"owner", owner_}, {"files", files}}.dump();
}

// Files of this run that are not among those of the checkpoint.
void BoardFiles::drop_later(const std::string& name) const {
  std::error_code error;
  if (!name.empty() && is_link(path_of(name))) return;
  const auto found = closed_.find(name);
  for (const fs::directory_entry& entry : fs::directory_iterator(path_of(name), error)) {
    const std::string file = entry.path().filename().string();
    if (!is_file_of(owner_, file) || !fs::is_regular_file(entry.symlink_status(error))) continue;
    const bool is_known =
        found != closed_.end() &&
        std::ranges::find(found->second, file, &Written::file) != found->second.end();
    if (!is_known) fs::remove(entry.path(), error);
  }
}

void BoardFiles::go_on(const std::string& state, const std::string& where) {
  std::vector<std::string> names = {""};
  for (const auto& [name, file] : open_) names.push_back(name);
  open_.clear();
  started_.clear();
  closed_.clear();
  try {
    const Json json = parse_json(state, where);
    owner_ = json.at("owner").get<std::string>();
    for (const auto& [name, files] : json.at("files").items())
      for (const Json& file : files)
        closed_[name].push_back({file.at(0).get<std::string>(), file.at(1).get<int64_t>()});
  } catch (const Json::exception&) {
    throw CorruptFile(where + ": it is not the state of a TensorBoard callback");
  }
  bool is_own = is_owner(owner_);
  for (const auto& [name, files] : closed_)
    for (const Written& file : files)
      is_own &= is_folder_name(name) && is_file_of(owner_, file.file) && file.size >= 0;
  if (!is_own) throw CorruptFile(where + ": it is not the state of a TensorBoard callback");
  for (const auto& [name, files] : closed_) {
    names.push_back(name);
    if (!name.empty() && is_link(path_of(name))) continue;
    for (const Written& file : files) cut(path_of(name) + "/" + file.file, file.size);
  }
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error))
    if (entry.is_directory(error)) names.push_back(name_of(entry.path().string()));
  for (const std::string& name : names) drop_later(name);
}

}  // namespace plimsoll
