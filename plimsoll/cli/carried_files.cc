#include "plimsoll/cli/carried_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/cli/wrong_usage.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const std::string& model) {
  std::error_code error;
  const fs::path parent = fs::path(model).parent_path();
  return fs::weakly_canonical(parent.empty() ? "." : parent, error);
}

bool is_beside(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

[[noreturn]] void refuse_other_models(const std::string& file, const std::string& from) {
  throw WrongUsage(fmt::format(
      "convert: {} is of another model than {}; write to another folder, for each model has one of "
      "its own, or remove it",
      file, from));
}

}  // namespace

CarriedFiles::CarriedFiles(const std::string& from, std::string to, Findings& findings)
    : to_(std::move(to)) {
  if (folder_of(from) == folder_of(to_)) return;
  const std::string schema_file = schema_path(to_), classes_file = classes_path(to_);
  schema_ = schema_beside(from);
  classes_ = classes_beside(from);
  if (schema_ && is_beside(schema_file) && schema_beside(to_) != schema_)
    refuse_other_models(schema_file, from);
  if (!classes_.empty() && is_beside(classes_file) && classes_beside(to_) != classes_)
    refuse_other_models(classes_file, from);
  const bool finds_schema = !schema_ && schema_beside(to_);
  if (finds_schema || (classes_.empty() && is_beside(classes_file)))
    findings.add(
        {.severity = Finding::Severity::warning,
         .where = finds_schema ? schema_file : classes_file,
         .what = fmt::format("is not of {}, but data for {} will be read as it says", from, to_),
         .remedy = "write to another folder, for each model has one of its own"});
}

std::vector<std::string> CarriedFiles::write() const {
  std::vector<std::string> written;
  if (schema_) {
    write_file(written.emplace_back(schema_path(to_)), to_json(*schema_) + "\n");
  }
  if (!classes_.empty()) {
    write_classes(classes_, to_);
    written.push_back(classes_path(to_));
  }
  return written;
}

}  // namespace plimsoll::cli
