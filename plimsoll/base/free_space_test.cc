#include "plimsoll/base/free_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(FreeSpace, IsThatOfTheDiskOfAFileToBe) {
  const TemporaryFolder folder;
  EXPECT_GT(free_space(folder.path()), 0);
  EXPECT_LT(free_space(folder.path("none/yet")), int64_t{1} << 60);
  EXPECT_GT(free_space("none/yet"), 0);
}

TEST(FreeSpace, NamesBothNumbersWhereItIsTooLittle) {
  const TemporaryFolder folder;
  check_free_space(folder.path("a"), 1);
  EXPECT_THAT([&] { check_free_space(folder.path("a"), int64_t{1} << 60); },
              ThrowsMessage<IoError>(AllOf(HasSubstr("/a: writing it takes "),
                                           HasSubstr(" of disk, but only "),
                                           HasSubstr(" are free there"))));
}

}  // namespace
}  // namespace plimsoll
