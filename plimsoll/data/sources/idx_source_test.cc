#include "plimsoll/data/sources/idx_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

std::string bytes_idx(std::initializer_list<char> dims, const std::string& elements) {
  std::string bytes{0, 0, 8, static_cast<char>(dims.size())};
  for (const char dim : dims) bytes += std::string{0, 0, 0, dim};
  return bytes + elements;
}

TEST(IdxSource, PutsImagesAndLabelsTogether) {
  const TemporaryFolder folder;
  const std::string images = folder.path("images"), labels = folder.path("labels");
  std::ofstream(images) << bytes_idx({3, 1, 2}, "abcdef");
  std::ofstream(labels) << bytes_idx({3}, std::string("\1\2\3"));
  const SourcePtr source = idx_source({images, labels});
  ASSERT_EQ(source->size(), 3);
  EXPECT_EQ(source->fields(), (Specs{{DType::uint8, {1, 2}}, {DType::uint8, {}}}));
  EXPECT_EQ(source->name(2), images + "[2]");
  char image[4];
  char label[2];
  std::byte* into[] = {reinterpret_cast<std::byte*>(image), reinterpret_cast<std::byte*>(label)};
  source->read_run(1, 2, into);
  EXPECT_THAT(image, ElementsAre('c', 'd', 'e', 'f'));
  EXPECT_THAT(label, ElementsAre(2, 3));
}

TEST(IdxSource, RefusesFilesThatDoNotFitTogether) {
  const TemporaryFolder folder;
  const std::string images = folder.path("images"), labels = folder.path("labels");
  std::ofstream(images) << bytes_idx({3, 1, 2}, "abcdef");
  std::ofstream(labels) << bytes_idx({2}, "ab");
  EXPECT_THAT(message_of([&] {
                idx_source({images, labels});
              }),
              HasSubstr("must have the same number of samples, found 3 in " + images +
                        " and 2 in " + labels));
  EXPECT_THAT(message_of([&] { idx_source({}); }), HasSubstr("expected at least one array"));
}

}  // namespace
}  // namespace plimsoll
