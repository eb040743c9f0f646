#include "plimsoll/formats/tensorflow/event_file.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>

#include "plimsoll/base/error.h"
#include "plimsoll/base/file_system.h"
#include "plimsoll/formats/tensorflow/protobuf_writer.h"
#include "plimsoll/formats/tensorflow/tfrecord.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegin = "events.out.tfevents.";
// Fields of Event.
constexpr int kSeconds = 1, kStep = 2, kVersion = 3, kGraph = 4, kSummary = 5, kSession = 7;

// The number after the beginning of an event file's name; 0 for another file.
int64_t number_of(const std::string& name) {
  int64_t number = 0;
  if (name.starts_with(kBegin))
    std::from_chars(name.data() + kBegin.size(), name.data() + name.size(), number);
  return number;
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 && name[0] != 0 ? name : "localhost";
}

// Files of one second get different numbers: those of seconds that are still to come.
int64_t next_number(const std::string& folder) {
  auto number = static_cast<int64_t>(wall_seconds());
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    constexpr int64_t kMost = 9'999'999'998;  // a name with more digits would not come after
    const int64_t taken = number_of(entry.path().filename().string());
    if (taken <= kMost) number = std::max(number, taken + 1);
  }
  return number;
}

FileDescriptor make_file(const std::string& folder, const EventFileOptions& options) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError(folder + ": cannot be made: " + error.message());
  const std::string owner = options.owner.empty() ? fmt::format("{}", getpid()) : options.owner;
  for (int64_t number = next_number(folder);; ++number) {
    const std::string path = fmt::format("{}/{}{:010}.{}.{}.0{}", folder, kBegin, number,
                                         host_name(), owner, options.suffix);
    if (!fs::exists(path, error)) return {path, O_WRONLY | O_CREAT | O_EXCL};
  }
}

}  // namespace

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

EventFile::EventFile(const std::string& folder, const EventFileOptions& options)
    : file_(make_file(folder, options)) {
  write(0, kVersion, "brain.Event:2");
}

void EventFile::write(int64_t step, int field, std::string_view contents) {
  const std::string event = ProtobufWriter()
                                .real(kSeconds, wall_seconds())
                                .number(kStep, step)
                                .bytes(field, contents)
                                .text();
  const std::string record = tfrecord_of(std::as_bytes(std::span(event)));
  file_.write_at(size_, std::as_bytes(std::span(record)));
  size_ += std::ssize(record);
}

void EventFile::add(std::span<const std::string> values, int64_t step) {
  ProtobufWriter summary;
  for (const std::string& value : values) summary.bytes(1, value);
  write(step, kSummary, summary.text());
}

void EventFile::add_graph(std::string_view graph) {
  write(0, kGraph, graph);
}

void EventFile::add_start(int64_t step) {
  write(step, kSession, ProtobufWriter().number(1, 1).text());
}

void EventFile::sync() {
  file_.flush_to_disk();
  sync_folder_of(file_.path());
}

}  // namespace plimsoll
