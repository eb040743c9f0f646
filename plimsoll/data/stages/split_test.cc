#include "plimsoll/data/stages/split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;
using Names = std::vector<std::string>;

// Records that are nothing but their names.
class Named final : public Source {
 public:
  explicit Named(Names names) : names_(std::move(names)) {}
  int64_t size() const override { return static_cast<int64_t>(names_.size()); }
  const Specs& fields() const override { return fields_; }
  void read(RecordId id, std::span<std::byte* const> into) const override {
    std::memcpy(into[0], &id.number, sizeof id.number);
  }
  std::string name(RecordId id) const override { return names_[static_cast<size_t>(id.number)]; }

 private:
  Names names_;
  Specs fields_ = {{DType::int64, {}}};
};

SourcePtr numbered(int64_t count, const std::string& before = "", const std::string& after = "") {
  Names names;
  for (int64_t i = 0; i < count; ++i) names.push_back(before + std::to_string(i) + after);
  return std::make_shared<Named>(names);
}

Names names(const SourcePtr& source) {
  Names all;
  for (int64_t i = 0; i < source->size(); ++i) all.push_back(source->name(i));
  return all;
}

int64_t read(const SourcePtr& source, int64_t record) {
  int64_t number = -1;
  std::byte* const into[] = {reinterpret_cast<std::byte*>(&number)};
  source->read(record, into);
  return number;
}

TEST(Split, TakesTheLastPartWithoutASeed) {
  const SplitSources parts = split(numbered(10), {.validation_split = 0.25});
  // Keras: int(0.25 * 10) files are for validation.
  EXPECT_THAT(names(parts.validation), ElementsAre("8", "9"));
  EXPECT_THAT(names(parts.train), ElementsAre("0", "1", "2", "3", "4", "5", "6", "7"));
  EXPECT_EQ(read(parts.validation, 1), 9);
}

// RandomState(123) makes 4 0 7 5 8 3 1 6 9 2 of ten.
TEST(Split, ShufflesAsKerasWithASeed) {
  const SplitSources parts = split(numbered(10), {.validation_split = 0.3, .seed = 123});
  EXPECT_THAT(names(parts.train), ElementsAre("4", "0", "7", "5", "8", "3", "1"));
  EXPECT_THAT(names(parts.validation), ElementsAre("6", "9", "2"));
  EXPECT_EQ(read(parts.train, 2), 7);
  EXPECT_EQ(read(parts.validation, 2), 2);
}

// The positions were computed by other code: FNV-1a of 64 bits, then MurmurHash3's finaliser.
TEST(Split, DecidesByANumberThatStaysTheSame) {
  EXPECT_DOUBLE_EQ(split_position(""), 0.93676944839044);
  EXPECT_DOUBLE_EQ(split_position("a"), 0.5102945176565711);
  EXPECT_DOUBLE_EQ(split_position("cats/3.jpg"), 0.3000825236891076);
  EXPECT_DOUBLE_EQ(split_position("dogs/ünïcode.png"), 0.5989737257110108);
}

TEST(Split, ByHashLooksAtNamesBelowTheData) {
  const SplitOptions options{
      .validation_split = 0.3, .by = SplitOptions::By::hash, .root = "somewhere/photos/"};
  const SplitSources parts = split(numbered(20, "somewhere/photos/c/", ".png"), options);
  Names expected;
  for (const char* number : {"5", "6", "8", "11", "13", "14", "15", "19"})
    expected.push_back("somewhere/photos/c/" + std::string(number) + ".png");
  EXPECT_EQ(names(parts.validation), expected);
  EXPECT_EQ(parts.train->size(), 12);
  EXPECT_EQ(read(parts.validation, 2), 8);
  EXPECT_EQ(read(parts.train, 5), 7);

  const SplitSources rows =
      split(numbered(20, "x.npz[", "]"),
            {.validation_split = 0.3, .by = SplitOptions::By::hash, .root = "x.npz"});
  EXPECT_THAT(names(rows.validation),
              ElementsAre("x.npz[3]", "x.npz[9]", "x.npz[10]", "x.npz[19]"));
}

std::set<std::string> validation_names(const Names& all, double fraction) {
  const SplitOptions options{.validation_split = fraction, .by = SplitOptions::By::hash};
  const Names chosen = names(split(std::make_shared<Named>(all), options).validation);
  return {chosen.begin(), chosen.end()};
}

TEST(Split, ByHashKeepsItsMindWhenRecordsComeAndGo) {
  const Names all = names(numbered(2000, "c/", ".jpg"));
  Names other;  // two of three, backwards, with new ones between
  for (size_t i = all.size(); i-- > 0;) {
    if (i % 3 != 0) other.push_back(all[i]);
    if (i % 5 == 0) other.push_back("new/" + all[i]);
  }
  const auto before = validation_names(all, 0.2), after = validation_names(other, 0.2),
             more = validation_names(all, 0.4);
  for (size_t i = 0; i < all.size(); ++i) {
    if (i % 3 == 0) continue;
    EXPECT_EQ(before.contains(all[i]), after.contains(all[i])) << all[i];
  }
  for (const std::string& name : before) EXPECT_TRUE(more.contains(name));
}

// Of 20,000 records 4,000 are expected, with a standard deviation of 57.
TEST(Split, ByHashIsAboutAsLargeAsAskedFor) {
  const SplitSources parts = split(numbered(20000, "cats/picture_", ".jpg"),
                                   {.validation_split = 0.2, .by = SplitOptions::By::hash});
  EXPECT_NEAR(static_cast<double>(parts.validation->size()), 4000, 4 * 57);
  EXPECT_EQ(parts.train->size() + parts.validation->size(), 20000);
}

TEST(Split, RefusesEmptyParts) {
  EXPECT_THAT(message_of([] { split(numbered(4), {.validation_split = 0.2}); }),
              HasSubstr("data: validation_split 0.2 of 4 records leaves one part empty: 0 would be "
                        "for validation"));
  EXPECT_THAT(message_of([] {
                split(numbered(1), {.validation_split = 0.99, .by = SplitOptions::By::hash});
              }),
              HasSubstr("leaves one part empty"));
  EXPECT_THAT(message_of([] { split(numbered(4), {.validation_split = 1}); }),
              HasSubstr("must be between 0 and 1, found 1"));
  EXPECT_THAT(message_of([] { split_by("name"); }), HasSubstr("expected order or hash"));
}

}  // namespace
}  // namespace plimsoll
