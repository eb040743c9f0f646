// EventFile: a file of events that TensorBoard reads, TFRecords of Event messages. Each event is
// with the system when its call returns.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "plimsoll/base/file_descriptor.h"

namespace plimsoll {

struct EventFileOptions {
  std::string suffix = ".v2";
  std::string owner = {};  // a part of the name; empty: the number of the process
};

class EventFile {
 public:
  // A new file in the folder, which is made if it is missing. Its name comes after those of the
  // event files that are there: TensorBoard reads them in the order of their names. IoError where
  // it cannot be written.
  explicit EventFile(const std::string& folder, const EventFileOptions& options = {});

  // Values of summary_value.h, as one event.
  void add(std::span<const std::string> values, int64_t step);
  // A graph of graph_def.h.
  void add_graph(std::string_view graph);
  // The run starts here. TensorBoard forgets what other files of the folder have from this step on
  // (unless this is the first such event in the folder).
  void add_start(int64_t step);

  const std::string& path() const { return file_.path(); }
  int64_t size() const { return size_; }
  // What was written, and the name, is on the disk when this returns.
  void sync();

 private:
  void write(int64_t step, int field, std::string_view contents);

  FileDescriptor file_;
  int64_t size_ = 0;
};

// Seconds since 1970.
double wall_seconds();

}  // namespace plimsoll
