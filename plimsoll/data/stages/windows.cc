#include "plimsoll/data/stages/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/bytes/scratch_bytes.h"

namespace plimsoll {
namespace {

class Windows final : public SourceStage {
 public:
  Windows(SourcePtr rows, const WindowOptions& options, const std::string& path)
      : SourceStage(std::move(rows)), options_(options) {
    if (options.window < 1 || options.horizon < 1 || options.stride < 1)
      throw InvalidArgument(
          fmt::format("{}: a window, its horizon and its stride are 1 or more, found {}, {} and {}",
                      path, options.window, options.horizon, options.stride));
    constexpr int64_t kMost = int64_t{1} << 40;
    const bool has_targets = std::ssize(inner().fields()) > options.inputs;
    // Not more than a series can have, so that the sums below are right.
    if (std::max({options.window, options.horizon, options.stride}) > kMost)
      throw InvalidArgument(
          fmt::format("{}: a window of {} rows is too long", path, options.window));
    const int64_t needed = options.window + (has_targets ? options.horizon : 0);
    if (inner().size() < needed)
      throw InvalidArgument(fmt::format(
          "{}: has {} rows, a window of {} rows{} needs {} or more", path, inner().size(),
          options.window,
          has_targets ? fmt::format(" and a target {} row(s) after it", options.horizon) : "",
          needed));
    size_ = (inner().size() - needed) / options.stride + 1;
    for (size_t i = 0; i < inner().fields().size(); ++i) {
      Spec spec = inner().fields()[i];
      if (is_input(i)) spec.shape = spec.shape.with(0, options.window);
      fields_.push_back(spec);
    }
  }

  int64_t size() const override { return size_; }
  const Specs& fields() const override { return fields_; }
  int64_t overlap() const override {
    return (options_.window - 1 + options_.horizon) / options_.stride;
  }

  std::string name(RecordId id) const override {
    const int64_t row = target_row(id.number), last = inner().size() - 1;
    return row <= last ? inner().name(row) : fmt::format("{}+{}", inner().name(last), row - last);
  }

  std::string element_name(size_t field, int64_t element) const override {
    if (!is_input(field)) return inner().element_name(field, element);
    const int64_t width = inner().fields()[field].shape.elements();
    const std::string name = inner().element_name(field, element % width);
    return name.empty() ? name : fmt::format("row {} of the window, {}", element / width, name);
  }

  void read(RecordId id, std::span<std::byte* const> into) const override {
    std::vector<std::byte*> places(into.begin(), into.end());
    ScratchBytes unused(static_cast<size_t>(row_bytes(false) * options_.window));
    std::byte* rest = unused.bytes().data();
    for (size_t i = 0; i < places.size(); ++i) {
      if (is_input(i)) continue;
      places[i] = rest;
      rest += inner().fields()[i].bytes() * options_.window;
    }
    const int64_t first = id.number * options_.stride;
    inner().read_run({first, id.epoch}, options_.window, places);
    if (std::ssize(fields_) > options_.inputs) read_target(id, into);
  }

 private:
  bool is_input(size_t field) const { return std::cmp_less(field, options_.inputs); }
  int64_t target_row(int64_t record) const {
    return record * options_.stride + options_.window - 1 + options_.horizon;
  }
  // Of the inputs of a row, or of what else it has.
  int64_t row_bytes(bool of_inputs) const {
    int64_t bytes = 0;
    for (size_t i = 0; i < fields_.size(); ++i)
      if (is_input(i) == of_inputs) bytes += inner().fields()[i].bytes();
    return bytes;
  }

  void read_target(RecordId id, std::span<std::byte* const> into) const {
    std::vector<std::byte*> places(into.begin(), into.end());
    ScratchBytes unused(static_cast<size_t>(row_bytes(true)));
    std::byte* rest = unused.bytes().data();
    for (size_t i = 0; i < places.size() && is_input(i); ++i) {
      places[i] = rest;
      rest += inner().fields()[i].bytes();
    }
    inner().read({target_row(id.number), id.epoch}, places);
  }

  WindowOptions options_;
  int64_t size_ = 0;
  Specs fields_;
};

}  // namespace

SourcePtr windows(SourcePtr rows, const WindowOptions& options, const std::string& path) {
  return std::make_shared<Windows>(std::move(rows), options, path);
}

}  // namespace plimsoll
