#include "plimsoll/report/run_files.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/base/file_descriptor.h"
#include "plimsoll/formats/archives/json.h"
#include "plimsoll/report/shown.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kMostRunFileBytes = 4 << 20, kMostLineBytes = 1 << 20, kPieceBytes = 256 << 10;

}  // namespace

Json read_run_file(const std::string& run) {
  const std::string path = run + "/run.json";
  const FileDescriptor file = open_regular(path);
  const int64_t size = file.size();
  if (size > kMostRunFileBytes) throw CorruptFile(path + ": is too large for a run.json");
  std::string text(static_cast<size_t>(size), '\0');
  file.read_at(0, std::as_writable_bytes(std::span(text)));
  Json json = parse_json(text, path);
  if (!json.is_object()) throw CorruptFile(path + ": is not that of a run");
  return json;
}

LogPart read_log_lines(const std::string& run, int64_t from, int64_t most,
                       const std::function<bool(std::string_view)>& each) {
  const FileDescriptor file = open_regular(run + "/log.jsonl");
  const int64_t size = file.size();
  LogPart part{.next = from, .has_shrunk = size < from};
  if (part.has_shrunk) part.next = 0;
  bool skips = false;  // the rest of a line
  if (size - part.next > most) {
    part.next = size - most;
    part.is_cut = skips = true;
  }
  std::string held, piece;
  for (int64_t at = part.next; at < size;) {
    piece.resize(static_cast<size_t>(std::min(kPieceBytes, size - at)));
    file.read_at(at, std::as_writable_bytes(std::span(piece)));
    for (size_t begin = 0; begin < piece.size();) {
      const size_t end = piece.find('\n', begin);
      const std::string_view found(piece.data() + begin, std::min(end, piece.size()) - begin);
      if (std::ssize(held) + std::ssize(found) > kMostLineBytes) skips = true;
      if (skips) held.clear();
      if (!skips) held += found;
      if (end == piece.npos) break;
      if (!skips && !each(held)) return part;
      skips = false;
      held.clear();
      begin = end + 1;
      part.next = at + static_cast<int64_t>(begin);
    }
    at += std::ssize(piece);
  }
  return part;
}

std::string first_log_line(const std::string& run) {
  const FileDescriptor file = open_regular(run + "/log.jsonl");
  std::string text(static_cast<size_t>(std::min(kPieceBytes, file.size())), '\0');
  file.read_at(0, std::as_writable_bytes(std::span(text)));
  const size_t end = text.find('\n');
  return end == text.npos ? "" : text.substr(0, end);
}

Json parse_event(std::string_view line) {
  try {
    Json event = parse_json(line, "log.jsonl");
    if (event.is_object() && !text_in(event, "event").empty()) return event;
  } catch (const Error&) {
    // A line that is no JSON says nothing.
  }
  return {};
}

}  // namespace plimsoll
