#include "plimsoll/report/profile_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "plimsoll/base/printable.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kNameColumns = 44;

std::string label(const OperationProfile& row, ProfileBy by) {
  const std::string layer = row.layer.empty() ? "(no layer)" : printable(row.layer);
  return by == ProfileBy::layer ? layer : fmt::format("{}  {}", row.operation, layer);
}

std::string line(const std::string& name, const OperationProfile& row, const StepProfile& of) {
  const double giga = row.seconds > 0 ? 1e-9 / row.seconds : 0;
  const auto percent = [](double part, double whole) { return whole > 0 ? 100 * part / whole : 0; };
  return fmt::format(
      "{:<{}} {:>9.3f} {:>5.1f}% {:>8.2f} {:>8.1f} {:>6.0f}% {:>7.1f} {:>6.0f}% {:>10}\n", name,
      kNameColumns, row.seconds * 1e3, percent(row.seconds, of.step_seconds), row.bytes / (1 << 20),
      row.operations * giga,
      percent(row.operations, of.machine_operations_per_second * row.seconds), row.bytes * giga,
      percent(row.bytes, of.machine_bytes_per_second * row.seconds),
      is_bound_by_computing(row, of) ? "computing" : "memory");
}

// A name that is too long loses its middle.
std::string cut(const std::string& name) {
  if (name.size() <= kNameColumns) return name;
  return name.substr(0, kNameColumns / 2 - 1) + "…" + name.substr(name.size() - kNameColumns / 2);
}

std::string header(const StepProfile& profile) {
  const auto share = [&](double seconds) {
    return profile.step_seconds > 0 ? 100 * seconds / profile.step_seconds : 0;
  };
  OperationProfile all;
  for (const OperationProfile& row : profile.operations) add(row, all);
  return fmt::format(
      "a step of {} records takes {:.3f} ms: {:.1f}% in operations, {:.1f}% waiting for data "
      "(medians of {} steps)\n"
      "it computes at {:.1f} GFLOP/s; {} reaches {:.0f} GFLOP/s and {:.1f} GB/s\n\n",
      profile.batch_size, profile.step_seconds * 1e3, share(all.seconds),
      share(profile.wait_seconds), profile.steps,
      profile.step_seconds > 0 ? all.operations / profile.step_seconds * 1e-9 : 0,
      profile.is_machine_measured ? "this machine" : "a typical machine",
      profile.machine_operations_per_second * 1e-9, profile.machine_bytes_per_second * 1e-9);
}

// Names of layers come from files that are not trusted.
std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

double microseconds(double seconds) {
  return seconds * 1e6;
}

}  // namespace

void add(const OperationProfile& row, OperationProfile& to) {
  to.calls += row.calls;
  to.seconds += row.seconds;
  to.operations += row.operations;
  to.bytes += row.bytes;
}

StepProfile joined(const StepProfile& profile, ProfileBy by) {
  StepProfile result = profile;
  result.operations.clear();
  std::map<std::pair<std::string, std::string>, size_t> rows;
  for (const OperationProfile& row : profile.operations) {
    const std::string operation = by == ProfileBy::layer ? "" : row.operation;
    const auto [known, is_new] = rows.try_emplace({operation, row.layer}, result.operations.size());
    if (is_new) result.operations.push_back({.operation = operation, .layer = row.layer});
    add(row, result.operations[known->second]);
  }
  return result;
}

double share_of_machine(const OperationProfile& row, const StepProfile& of) {
  if (row.seconds <= 0 || of.machine_bytes_per_second <= 0) return 0;
  return std::max(row.operations / of.machine_operations_per_second,
                  row.bytes / of.machine_bytes_per_second) /
         row.seconds;
}

bool is_bound_by_computing(const OperationProfile& row, const StepProfile& of) {
  return row.operations * of.machine_bytes_per_second >
         row.bytes * of.machine_operations_per_second;
}

std::string profile_table(const StepProfile& profile, ProfileBy by, size_t most_rows) {
  StepProfile rows = joined(profile, by);
  std::ranges::stable_sort(rows.operations, std::greater{}, &OperationProfile::seconds);
  std::string text = header(profile);
  text += fmt::format("{:<{}} {:>9} {:>6} {:>8} {:>8} {:>7} {:>7} {:>7} {:>10}\n",
                      by == ProfileBy::layer ? "layer" : "operation  layer", kNameColumns, "ms",
                      "time", "MiB", "GFLOP/s", "of peak", "GB/s", "of peak", "bound by");
  const size_t shown = std::min(most_rows, rows.operations.size());
  for (size_t i = 0; i < shown; ++i)
    text += line(cut(label(rows.operations[i], by)), rows.operations[i], profile);
  if (shown == rows.operations.size()) return text;
  OperationProfile others;
  for (size_t i = shown; i < rows.operations.size(); ++i) add(rows.operations[i], others);
  return text + line(fmt::format("{} others", rows.operations.size() - shown), others, profile);
}

namespace {

std::string kind_of_thread(std::string_view longest) {
  if (longest == "step") return "training";
  if (longest == "read records") return "reader";
  return std::string(longest);
}

// By what each thread did for most of its time; several of one kind are numbered. The first one
// trains, whatever else it does.
std::vector<std::string> thread_names(std::span<const TraceEvent> events) {
  std::map<int, std::map<std::string_view, double>> seconds;
  for (const TraceEvent& event : events)
    seconds[event.thread][event.name] += event.end - event.begin;
  std::vector<std::string> names;
  std::map<std::string, int> counts, given;
  for (const auto& [thread, spans] : seconds) {
    names.resize(static_cast<size_t>(thread) + 1);
    const auto longest =
        std::ranges::max_element(spans, {}, [](const auto& span) { return span.second; });
    names.back() = thread == 0 ? "training" : kind_of_thread(longest->first);
    ++counts[names.back()];
  }
  for (std::string& name : names)
    if (counts[name] > 1) name += fmt::format(" {}", ++given[name]);
  return names;
}

// Without the name, which has a member of its own.
Json attributes_of(const OperationProfile& row) {
  Json attributes = row.attributes.empty() ? Json::object() : Json::parse(row.attributes);
  attributes.erase("op");
  return attributes;
}

}  // namespace

std::string to_json(const StepProfile& profile) {
  Json rows = Json::array();
  for (const OperationProfile& row : profile.operations)
    rows.push_back({{"operation", row.operation},
                    {"layer", row.layer},
                    {"attributes", attributes_of(row)},
                    {"gradient_of", row.gradient_of},
                    {"calls", row.calls},
                    {"seconds", row.seconds},
                    {"operations", row.operations},
                    {"bytes", row.bytes},
                    {"share_of_machine", share_of_machine(row, profile)}});
  return text_of({{"steps", profile.steps},
                  {"batch_size", profile.batch_size},
                  {"step_seconds", profile.step_seconds},
                  {"wait_seconds", profile.wait_seconds},
                  {"machine",
                   {{"is_measured", profile.is_machine_measured},
                    {"operations_per_second", profile.machine_operations_per_second},
                    {"bytes_per_second", profile.machine_bytes_per_second}}},
                  {"operations", rows}});
}

std::string trace_json(std::span<const TraceEvent> events, std::span<const LiveMoment> moments) {
  Json list = Json::array();
  for (const TraceEvent& event : events) {
    Json json = {{"name", event.name},
                 {"ph", "X"},
                 {"pid", 1},
                 {"tid", event.thread},
                 {"ts", microseconds(event.begin)},
                 {"dur", microseconds(event.end - event.begin)}};
    if (!event.detail.empty()) json["args"] = {{"layer", event.detail}};
    list.push_back(std::move(json));
  }
  const std::vector<std::string> names = thread_names(events);
  for (size_t thread = 0; thread < names.size(); ++thread)
    list.push_back({{"name", "thread_name"},
                    {"ph", "M"},
                    {"pid", 1},
                    {"tid", thread},
                    {"args", {{"name", names[thread]}}}});
  for (const auto& [begin, bytes] : memory_track(events, moments))
    list.push_back({{"name", "live in the arena"},
                    {"ph", "C"},
                    {"pid", 1},
                    {"ts", microseconds(begin)},
                    {"args", {{"bytes", bytes}}}});
  return text_of({{"displayTimeUnit", "ms"}, {"traceEvents", list}});
}

}  // namespace plimsoll
