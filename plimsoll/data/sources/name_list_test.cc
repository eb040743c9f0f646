#include "plimsoll/data/sources/name_list.h"

#include <gtest/gtest.h>

#include <string>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

TEST(NameList, KeepsManyNamesInLittleMemory) {
  NameList names;
  constexpr int64_t kCount = 100'000;
  for (int64_t i = 0; i < kCount; ++i) names.add("cats/picture_" + std::to_string(i) + ".jpg");
  names.shrink();
  ASSERT_EQ(names.size(), kCount);
  for (int64_t i = 0; i < kCount; i += 777)
    EXPECT_EQ(names[i], "cats/picture_" + std::to_string(i) + ".jpg");
  EXPECT_LT(names.bytes() / kCount, 40);
}

TEST(NameList, SortsAPart) {
  NameList names;
  for (const char* name : {"z", "b", "a", "B"}) names.add(name);
  names.sort_from(1);
  EXPECT_EQ(names[0], "z");
  EXPECT_EQ(names[1], "B");
  EXPECT_EQ(names[2], "a");
  EXPECT_EQ(names[3], "b");
}

TEST(NameList, RefusesWhatItCannotHold) {
  NameList names;
  EXPECT_THROW(names.add(std::string(1 << 16, 'x')), InvalidArgument);
  EXPECT_THROW(names.add(std::string_view("a\0b", 3)), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
