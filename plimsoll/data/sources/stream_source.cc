#include "plimsoll/data/sources/stream_source.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"

namespace plimsoll {

StreamSource::StreamSource(OpenStream open, const StreamOptions& options)
    : open_(std::move(open)), options_(options), batches_(options.batches) {
  if (!open_) throw InvalidArgument("stream: there is no function that begins a pass");
}

void StreamSource::begin_pass() const {
  if (is_looked_at_) return;
  pass_.reset();  // its memory goes before that of the next
  records_ = first_ = given_ = 0;
  pass_ = open_();
  if (pass_ == nullptr) throw InvalidArgument("stream: the function that begins a pass gave none");
}

int64_t StreamSource::next() const {
  if (std::exchange(is_looked_at_, false)) {
    given_ = 1;
    return records_;
  }
  first_ += std::exchange(records_, 0);
  records_ = pass_->next();
  if (records_ < 0) throw InvalidArgument(fmt::format("stream: a batch of {} records", records_));
  if (records_ == 0) {
    if (given_ > 0) batches_ = given_;
    return 0;
  }
  ++given_;
  check_fields();
  return records_;
}

void StreamSource::check_fields() const {
  const Specs &found = pass_->fields(), &expected = first_fields_;
  if (expected.empty()) return;
  bool agrees = found.size() == expected.size();
  for (size_t i = 0; agrees && i < found.size(); ++i)
    agrees =
        found[i].dtype == expected[i].dtype && found[i].shape.rank() == expected[i].shape.rank();
  if (agrees) return;
  const auto text = [](const Specs& specs) {
    std::string joined;
    for (const Spec& spec : specs) joined += (joined.empty() ? "" : ", ") + spec.to_string();
    return joined;
  };
  throw InvalidArgument(fmt::format("stream: batch {} has records of {}, expected {} as the first",
                                    given_, text(found), text(expected)));
}

void StreamSource::release() const {
  pass_->release();
}

void StreamSource::look() const {
  if (pass_ != nullptr) return;
  const int64_t peak_before = process_memory().peak_resident_bytes;
  begin_pass();
  if (next() == 0) throw InvalidArgument("data: there is no batch");
  if (const ProcessMemory now = process_memory(); now.peak_resident_bytes > peak_before)
    making_bytes_ = now.peak_resident_bytes - now.resident_bytes;
  is_looked_at_ = true;
  first_fields_ = pass_->fields();
  if (first_fields_.empty()) throw InvalidArgument("stream: a batch has no field");
}

int64_t StreamSource::first_records() const {
  look();
  return records_;
}

int64_t StreamSource::size() const {
  throw InvalidArgument(
      "stream: data that comes batch by batch has no number of records, so it cannot be shuffled, "
      "split or put through stages");
}

const Specs& StreamSource::fields() const {
  look();
  return records_ > 0 ? pass_->fields() : first_fields_;
}

void StreamSource::read(RecordId id, std::span<std::byte* const> into) const {
  for (size_t i = 0; i < into.size(); ++i) {
    const int64_t bytes = pass_->fields()[i].bytes();
    if (bytes > 0)
      std::memcpy(into[i], pass_->field(i) + (id.number - first_) * bytes,
                  static_cast<size_t>(bytes));
  }
}

void StreamSource::read_run(RecordId first, int64_t count, std::span<std::byte*> into) const {
  for (size_t i = 0; i < into.size(); ++i) {
    const int64_t bytes = pass_->fields()[i].bytes();
    if (bytes > 0)
      std::memcpy(into[i], pass_->field(i) + (first.number - first_) * bytes,
                  static_cast<size_t>(bytes * count));
    into[i] += bytes * count;
  }
}

SourcePtr from_stream(OpenStream open, const StreamOptions& options) {
  return std::make_shared<StreamSource>(std::move(open), options);
}

}  // namespace plimsoll
