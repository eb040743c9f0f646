#include "plimsoll/formats/tensorflow/event_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <map>
#include <vector>

#include "plimsoll/formats/bytes/byte_source.h"
#include "plimsoll/formats/bytes/read_text.h"
#include "plimsoll/formats/tensorflow/graph_def.h"
#include "plimsoll/formats/tensorflow/protobuf_wire.h"
#include "plimsoll/formats/tensorflow/summary_value.h"
#include "plimsoll/formats/tensorflow/tfrecord.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using Bytes = std::span<const std::byte>;

std::string text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The fields of a message of bytes, the last of each number.
std::map<uint64_t, Bytes> fields_of(Bytes message) {
  std::map<uint64_t, Bytes> fields;
  ProtobufReader reader(message, "message");
  while (reader.next())
    if (reader.wire() == ProtobufReader::Wire::bytes) fields[reader.field()] = reader.bytes();
  return fields;
}

struct ReadEvent {
  uint64_t step = 0;
  std::map<uint64_t, std::string> fields = {};
};

std::vector<ReadEvent> read_events(const std::string& path) {
  const std::string file = read_text(path, 1 << 20, "events");
  std::vector<ReadEvent> events;
  for (size_t at = 0; at < file.size();) {
    uint64_t length = 0;
    for (size_t i = 8; i > 0; --i)
      length = length << 8 | static_cast<unsigned char>(file[at + i - 1]);
    const Bytes record = std::as_bytes(std::span(file)).subspan(at, length + 16);
    ProtobufReader reader(tfrecord_data(record, path), path);
    ReadEvent& event = events.emplace_back();
    while (reader.next()) {
      if (reader.field() == 2) event.step = reader.number();
      if (reader.wire() == ProtobufReader::Wire::bytes)
        event.fields[reader.field()] = text_of(reader.bytes());
    }
    at += length + 16;
  }
  return events;
}

TEST(EventFile, HasAVersionAndWhatIsAdded) {
  const TemporaryFolder folder;
  EventFile file(folder.path("train"));
  const std::vector<std::string> values = {scalar_summary("loss", 0.5), scalar_summary("mae", 2)};
  file.add(values, 7);
  file.add_graph(graph_def(std::vector<GraphNode>{{.name = "a", .op = "Dense", .shapes = {}}}));
  file.add_start(3);
  const std::vector<ReadEvent> events = read_events(file.path());
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0].fields.at(3), "brain.Event:2");
  EXPECT_EQ(events[1].step, 7u);
  const auto value = fields_of(fields_of(std::as_bytes(std::span(events[1].fields.at(5)))).at(1));
  EXPECT_EQ(text_of(value.at(1)), "mae");
  EXPECT_EQ(text_of(fields_of(fields_of(value.at(9)).at(1)).at(1)), "scalars");
  const std::string content = text_of(fields_of(value.at(8)).at(4));
  ASSERT_EQ(content.size(), 4u);
  EXPECT_EQ(content, std::string("\0\0\0\x40", 4));  // 2 in float32
  EXPECT_EQ(
      text_of(fields_of(fields_of(std::as_bytes(std::span(events[2].fields.at(4)))).at(1)).at(2)),
      "Dense");
  EXPECT_EQ(events[3].step, 3u);
  EXPECT_EQ(events[3].fields.at(7), std::string("\x08\x01", 2));
  EXPECT_EQ(static_cast<int64_t>(std::filesystem::file_size(file.path())), file.size());
}

TEST(EventFile, ComesAfterThoseThatAreThere) {
  const TemporaryFolder folder;
  std::string last;
  for (int i = 0; i < 5; ++i) {
    const EventFile file(folder.path().string(), {.owner = i % 2 == 0 ? "z" : "a"});
    EXPECT_LT(last, file.path());
    last = file.path();
  }
}

TEST(SummaryValue, WritesTextThatIsNoUtf8Out) {
  const std::string value = scalar_summary("caf\xe9", 1);
  EXPECT_EQ(text_of(fields_of(std::as_bytes(std::span(value))).at(1)), "caf\\xe9");
}

TEST(SummaryValue, HasARowPerBucket) {
  const std::vector<int64_t> counts = {3, 1};
  const std::string value = histogram_summary("weights", -1, 3, counts);
  const std::string content =
      text_of(fields_of(fields_of(std::as_bytes(std::span(value))).at(8)).at(4));
  std::vector<double> numbers(content.size() / 8);
  std::memcpy(numbers.data(), content.data(), content.size());
  EXPECT_EQ(numbers, (std::vector<double>{-1, 1, 3, 1, 3, 1}));
}

}  // namespace
}  // namespace plimsoll
