#include "plimsoll/report/read_run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/bytes/read_text.h"
#include "plimsoll/formats/images/image.h"
#include "plimsoll/report/board/record_picture.h"
#include "plimsoll/report/shown.h"
#include "plimsoll/report/thumbnail.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int64_t kMiB = int64_t{1} << 20;
constexpr int64_t kMostRunJson = 64 * kMiB, kMostPlanBytes = 4 * kMiB, kMostListBytes = 256 * kMiB;
constexpr int64_t kMostProfileBytes = 32 * kMiB;
constexpr size_t kMostRecords = 24;

bool is_there(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

std::string last_name(const std::string& run) {
  std::error_code error;
  fs::path path = fs::absolute(run, error).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  return path.filename().string();
}

void list_files(const std::string& folder, const std::string& prefix, std::vector<KeptFile>& into) {
  std::error_code error;
  if (!prefix.empty() && fs::is_symlink(folder, error)) return;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.') || !fs::is_regular_file(entry.symlink_status(error))) continue;
    const auto bytes = entry.file_size(error);
    if (!error) into.push_back({prefix + name, static_cast<int64_t>(bytes)});
  }
}

std::vector<KeptFile> files_of(const std::string& run) {
  std::vector<KeptFile> files;
  list_files(run, "", files);
  for (const char* room : {"checkpoints", "bad-steps"})
    list_files(run + "/" + room, std::string(room) + "/", files);
  std::ranges::sort(files, {}, &KeptFile::name);
  return files;
}

// Where the images of a run may be read from: inside its data, and nowhere else, because the names
// are those that a file says.
class ImagesOfRun {
 public:
  explicit ImagesOfRun(const Json& run) {
    std::error_code error;
    folder_ = text_in(member(run, "command"), "folder", 4096);
    const std::string path = text_in(member(run, "data"), "path", 4096);
    if (!path.empty()) data_ = fs::weakly_canonical(folder_ / path, error);
  }

  // Empty where there is none, or where it cannot be decoded.
  std::string thumbnail(const std::string& name) const {
    std::error_code error;
    const fs::path path = fs::weakly_canonical(folder_ / name, error);
    const fs::path inside = path.lexically_relative(data_);
    if (error || data_.empty() || inside.empty() || *inside.begin() == "..") return {};
    if (!fs::is_regular_file(path, error)) return {};
    try {
      constexpr ImageLimits kLimits = {.pixels = 40'000'000, .file_bytes = 32 * kMiB};
      return thumbnail_of(read_image(path.string(), ColorMode::rgb, kLimits));
    } catch (const Error&) {
      return beginning_of(path.string());
    }
  }

 private:
  // Browsers show the beginning of an image that was cut off. What else is wrong is its reason.
  static std::string beginning_of(const std::string& path) {
    constexpr size_t kMostBytes = 24 << 10;
    const std::optional<RecordPicture> picture = picture_of_record(path);
    if (!picture || picture->file.size() > kMostBytes) return {};
    const bool is_png = picture->file.starts_with("\x89PNG");
    return (is_png ? "data:image/png;base64," : "data:image/jpeg;base64,") + base64(picture->file);
  }

  fs::path folder_, data_;
};

void add_record(const Json& event, const ImagesOfRun* images, Quarantine& into) {
  const std::string path = text_in(event, "path", 4096), reason = text_in(event, "reason", 60);
  ++into.count;
  if (into.reasons.size() < 50 || into.reasons.contains(reason)) ++into.reasons[reason];
  if (into.first.size() == kMostRecords) return;
  into.first.push_back({.path = path,
                        .reason = reason,
                        .detail = text_in(event, "detail", 400),
                        .epoch = integer_in(event, "epoch"),
                        .thumbnail = images == nullptr ? "" : images->thumbnail(path)});
}

Part<Quarantine> read_quarantine(const std::string& path, const ImagesOfRun* images,
                                 int64_t most_bytes) {
  Quarantine quarantine;
  if (!is_there(path)) return {quarantine};
  try {
    const std::string text = read_own_text(path, most_bytes, "a list of records");
    std::string_view rest = text;
    for (size_t end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
      const Json event = json_of(std::string(rest.substr(0, end)));
      if (event.is_object()) add_record(event, images, quarantine);
      rest.remove_prefix(end + 1);
    }
  } catch (const Error& error) {
    return {{}, error.what()};
  }
  return {quarantine};
}

// `none` is what the page says where there is no such file.
Part<std::string> read_part(const std::string& path, int64_t most_bytes, const char* what,
                            const char* none) {
  if (!is_there(path)) return {{}, none};
  try {
    return {read_own_text(path, most_bytes, what)};
  } catch (const Error& error) {
    return {{}, error.what()};
  }
}

}  // namespace

RunReport read_run_files(const std::string& run, RunStory story, bool with_images,
                         int64_t most_bytes) {
  const auto least = [&](int64_t bytes) { return std::min(bytes, most_bytes); };
  RunReport report{.name = last_name(run), .story = std::move(story)};
  report.run_json = read_own_text(run + "/run.json", least(kMostRunJson), "a run.json");
  report.picture =
      read_part(run + "/plan.json", least(kMostPlanBytes), "a plan.json",
                "The run has left no plan.json: it was made by an earlier version of plimsoll.");
  report.profile = read_part(run + "/profile.json", least(kMostProfileBytes), "a profile.json",
                             "The run was not profiled: 'plimsoll train --profile 20' measures "
                             "20 of its steps, operation by operation.");
  report.files = files_of(run);
  // Where the data is, is looked up outside of the folder: only for pictures.
  std::optional<ImagesOfRun> images;
  if (with_images) images.emplace(json_of(report.run_json));
  report.quarantine = read_quarantine(run + "/quarantine.jsonl", images ? &*images : nullptr,
                                      least(kMostListBytes));
  return report;
}

}  // namespace plimsoll
