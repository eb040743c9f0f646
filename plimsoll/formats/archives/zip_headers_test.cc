#include "plimsoll/formats/archives/zip_headers.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "plimsoll/base/file_descriptor.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

constexpr int64_t kWide = (int64_t{1} << 32) + 17;

// An archive without contents: its file has holes where they would be.
std::vector<ZipEntry> read_back(std::vector<ZipEntry> entries) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.zip");
  FileDescriptor file(path, O_RDWR | O_CREAT);
  std::string directory;
  int64_t end = 0;
  for (ZipEntry& entry : entries) {
    entry.header_offset = end;
    const std::string header = zip_local_header(entry);
    file.write_at(end, std::as_bytes(std::span(header)));
    directory += zip_central_header(entry);
    end += std::ssize(header) + entry.stored_size;
  }
  const std::string rest = directory + zip_end(std::ssize(entries), end, std::ssize(directory));
  file.write_at(end, std::as_bytes(std::span(rest)));
  const ByteSourcePtr source = file_source(path);
  const std::vector<ZipEntry> found = read_zip_directory(*source);
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].header_offset, entries[i].header_offset);
    EXPECT_EQ(zip_contents_offset(*source, found[i].header_offset) + entries[i].stored_size,
              i + 1 < found.size() ? entries[i + 1].header_offset : end);
  }
  return found;
}

void expect_read_back(const std::vector<ZipEntry>& entries) {
  const std::vector<ZipEntry> found = read_back(entries);
  ASSERT_EQ(found.size(), entries.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].name, entries[i].name);
    EXPECT_EQ(found[i].size, entries[i].size);
    EXPECT_EQ(found[i].stored_size, entries[i].stored_size);
    EXPECT_EQ(found[i].method, entries[i].method);
    EXPECT_EQ(found[i].checksum, entries[i].checksum);
  }
}

TEST(ZipHeaders, AreReadBackAsTheyWereWritten) {
  expect_read_back({{.name = "a", .size = 3, .stored_size = 3, .checksum = 0xfedcba98},
                    {.name = "Größe/b", .size = 100, .stored_size = 7, .method = 8}});
  expect_read_back({});
}

TEST(ZipHeaders, HoldSizesAndOffsetsOverFourGibibytes) {
  expect_read_back({{.name = "before", .size = 3, .stored_size = 3},
                    {.name = "wide", .size = kWide, .stored_size = kWide, .checksum = 0x80000001},
                    {.name = "after", .size = 4, .stored_size = 4}});
  expect_read_back({{.name = "shrunk", .size = kWide, .stored_size = 1000, .method = 8}});
  for (const int64_t edge : {0xfffffffeL, 0xffffffffL, 0x100000000L})
    expect_read_back({{.name = "edge", .size = edge, .stored_size = edge}, {.name = "after"}});
}

TEST(ZipHeaders, HoldMoreEntriesThanSixteenBitsCount) {
  std::vector<ZipEntry> entries(65'535);
  for (size_t i = 0; i < entries.size(); ++i) entries[i].name = std::to_string(i);
  const std::vector<ZipEntry> found = read_back(entries);
  ASSERT_EQ(found.size(), entries.size());
  EXPECT_EQ(found.back().name, "65534");
}

}  // namespace
}  // namespace plimsoll
