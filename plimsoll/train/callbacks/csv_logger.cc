#include "plimsoll/train/callbacks/csv_logger.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/file_system.h"
#include "plimsoll/formats/checkpoint/state.h"
#include "plimsoll/train/callbacks/number_text.h"

namespace plimsoll {
namespace {

// A cell that has the separator or a quote in it is quoted.
std::string quoted(const std::string& cell, const std::string& separator) {
  if (cell.find_first_of("\"\r\n" + separator) == std::string::npos) return cell;
  std::string text = "\"";
  for (const char c : cell) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + "\"";
}

}  // namespace

CSVLogger::CSVLogger(std::string filename, const CSVLoggerOptions& options)
    : filename_(std::move(filename)), options_(options) {
  if (options_.separator.size() != 1)
    throw InvalidArgument("CSVLogger: the separator must be one character, found '" +
                          options_.separator + "'");
}

void CSVLogger::on_train_begin(TrainingState& state) {
  std::error_code error;
  const auto size = std::filesystem::file_size(filename_, error);
  const bool appends = options_.append || state.is_resumed;
  needs_header_ = !appends || error || size == 0;
  columns_.clear();
  open(appends ? "ab" : "wb");
}

void CSVLogger::open(const char* mode) {
  file_.reset(std::fopen(filename_.c_str(), mode), [](std::FILE* file) {
    if (file != nullptr) std::fclose(file);
  });
  if (file_ == nullptr)
    throw IoError(filename_ + ": cannot be written (" + std::strerror(errno) + ")");
}

// A checkpoint that survives a power cut needs the lines that it counts.
void CSVLogger::sync() const {
  if (fsync(fileno(file_.get())) != 0 && errno != EINVAL)  // a pipe has no disk
    throw IoError(filename_ + ": cannot be flushed to the disk (" + std::strerror(errno) + ")");
  sync_folder_of(filename_);
}

void CSVLogger::save_state(StateWriter& to) const {
  if (!to.only_counts()) sync();
  std::error_code error;
  const auto size = std::filesystem::file_size(filename_, error);
  to.number("size", error ? 0 : static_cast<int64_t>(size));
  to.texts("columns", columns_);
}

void CSVLogger::load_state(const StateReader& from) {
  std::error_code error;
  const auto size = static_cast<uintmax_t>(from.number("size"));
  if (const auto now = std::filesystem::file_size(filename_, error); error || now < size)
    throw IoError(filename_ + ": is shorter than it was; the run cannot go on with it");
  std::filesystem::resize_file(filename_, size, error);
  if (error) throw IoError(filename_ + ": cannot be cut: " + error.message());
  open("ab");  // the next line comes after what is left
  columns_ = from.texts("columns");
  needs_header_ = size == 0;
}

void CSVLogger::choose_columns(const Logs& logs) {
  for (const auto& [name, value] : logs) columns_.push_back(name);
  const bool validates = std::ranges::any_of(
      columns_, [](const std::string& name) { return name.starts_with("val_"); });
  const size_t count = columns_.size();
  for (size_t i = 0; !validates && i < count; ++i) columns_.push_back("val_" + columns_[i]);
  if (!needs_header_) return;
  std::vector<std::string> header = {"epoch"};
  header.insert(header.end(), columns_.begin(), columns_.end());
  write(header);
}

void CSVLogger::write(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells)
    line += (line.empty() ? "" : options_.separator) + quoted(cell, options_.separator);
  line += "\r\n";
  if (std::fwrite(line.data(), 1, line.size(), file_.get()) != line.size() ||
      std::fflush(file_.get()) != 0)
    throw IoError(filename_ + ": a line could not be written (" + std::strerror(errno) + ")");
}

void CSVLogger::on_epoch_end(TrainingState& state) {
  const Logs& logs = state.logs();
  if (columns_.empty()) choose_columns(logs);
  std::vector<std::string> cells = {std::to_string(state.epoch)};
  for (const std::string& column : columns_) {
    const auto found = logs.find(column);
    cells.push_back(found == logs.end() ? "NA" : number_text(found->second));
  }
  write(cells);
}

void CSVLogger::on_train_end(TrainingState&) {
  file_.reset();
}

}  // namespace plimsoll
