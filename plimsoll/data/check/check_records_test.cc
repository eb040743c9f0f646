#include "plimsoll/data/check/check_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/image_folder.h"
#include "tests/support/golden.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

HostTensor tensor(Shape shape, const std::vector<float>& values) {
  const Spec spec{DType::float32, shape};
  HostTensor tensor{spec, std::make_shared<Storage>(spec.bytes())};
  std::memcpy(tensor.storage->data(), values.data(), values.size() * sizeof(float));
  return tensor;
}

std::vector<std::string> reasons(const CheckReport& report) {
  std::vector<std::string> reasons;
  for (const CheckWarning& warning : report.warnings) reasons.push_back(warning.reason);
  return reasons;
}

TEST(CheckRecords, FindsNothingWrongWithGoodNumbers) {
  const auto source = from_tensor_slices({tensor({3, 2}, {1, 2, 3, 4, 5, 6})});
  const CheckReport report = check_records(*source);
  EXPECT_EQ(report.records, 3);
  EXPECT_THAT(report.bad, IsEmpty());
  EXPECT_THAT(report.warnings, IsEmpty());
  EXPECT_EQ(report.fields[0].largest, 6);
}

TEST(CheckRecords, NamesTheRecordAndTheColumn) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto source = from_tensor_slices({tensor({3, 2}, {1, 2, 3, nan, 5, 6})});
  const CheckReport report = check_records(*source, {.fields = {{.name = "x"}}});
  ASSERT_EQ(report.bad.size(), 1u);
  EXPECT_EQ(report.bad[0].record, 1);
  EXPECT_EQ(report.bad[0].path, "1");
  EXPECT_EQ(report.bad[0].flaw, Flaw::not_finite);
  EXPECT_EQ(report.bad[0].detail, "column 1 of 'x' is NaN");
}

// Every seventh record cannot be read, every eleventh has an infinite number.
class Patchy final : public Source {
 public:
  int64_t size() const override { return 20'000; }
  const Specs& fields() const override { return fields_; }
  void read(RecordId id, std::span<std::byte* const> into) const override {
    if (id.number % 7 == 3) throw IoError(name(id) + ": cannot be read: no such luck");
    const bool is_bad = id.number % 11 == 5;
    const float values[] = {static_cast<float>(id.number % 5000), is_bad ? HUGE_VALF : 0.1f};
    std::memcpy(into[0], values, sizeof values);
    const auto label = static_cast<int32_t>(id.number % 3);
    std::memcpy(into[1], &label, sizeof label);
  }

 private:
  Specs fields_ = {{DType::float32, {2}}, {DType::int32, {}}};
};

TEST(CheckRecords, SaysTheSameWithAnyNumberOfThreads) {
  const Patchy source;
  const std::vector<FieldToCheck> fields = {{.name = "x"},
                                            {.name = "y", .role = FieldRole::target}};
  const CheckReport one = check_records(source, {.fields = fields, .threads = 1});
  const CheckReport many = check_records(source, {.fields = fields, .threads = 5});
  size_t expected = 0;
  for (int64_t i = 0; i < source.size(); ++i) expected += i % 7 == 3 || i % 11 == 5;
  ASSERT_EQ(one.bad.size(), expected);
  ASSERT_EQ(many.bad.size(), expected);
  for (size_t i = 0; i < expected; ++i) {
    ASSERT_EQ(one.bad[i].record, many.bad[i].record);
    ASSERT_EQ(one.bad[i].flaw, one.bad[i].record % 7 == 3 ? Flaw::unreadable : Flaw::not_finite);
  }
  EXPECT_EQ(one.bad[0].detail, "cannot be read: no such luck");
  EXPECT_EQ(one.fields[0].mean, many.fields[0].mean);
  EXPECT_EQ(one.fields[0].deviation, many.fields[0].deviation);
  EXPECT_EQ(reasons(one), reasons(many));
  EXPECT_THAT(one.warnings[0].examples, ElementsAre("x.1")) << "constant but where it is infinite";
  for (size_t i = 0; i < one.warnings.size(); ++i)
    EXPECT_EQ(one.warnings[i].examples, many.warnings[i].examples);
}

TEST(CheckRecords, LeavesWhatIsKnownToBeBad) {
  const auto source = from_tensor_slices({tensor({3, 1}, {1, 2, 1})});
  const CheckReport report =
      check_records(*source, {.known = {{2, "a.csv:4", Flaw::missing, "has no value"}}});
  ASSERT_EQ(report.bad.size(), 1u);
  EXPECT_EQ(report.bad[0].path, "a.csv:4");
  EXPECT_THAT(report.warnings, IsEmpty()) << "it is no duplicate";
}

TEST(CheckRecords, CountsClasses) {
  std::vector<float> labels(24, 0), inputs(24);
  labels[23] = 1;
  for (size_t i = 0; i < inputs.size(); ++i) inputs[i] = static_cast<float>(i);
  const auto source = from_tensor_slices({tensor({24, 1}, inputs), tensor({24}, labels)});
  const CheckReport report =
      check_records(*source, {.fields = {{}, {.role = FieldRole::target, .limit = 2}}});
  ASSERT_EQ(report.classes.size(), 2u);
  EXPECT_EQ(report.classes[0].records, 23);
  EXPECT_THAT(reasons(report), ElementsAre("imbalance"));
}

TEST(CheckRecords, ProgressEndsWithTheLastRecordAndMayStopIt) {
  const Patchy source;
  int64_t last = -1;
  check_records(source, {.progress = [&](int64_t done) { last = done; }});
  EXPECT_EQ(last, source.size());
  EXPECT_THROW(check_records(source, {.progress = [](int64_t) { throw IoError("stop"); }}),
               IoError);
}

class CheckFolder : public ::testing::Test {
 protected:
  void add(const std::string& name, const std::string& bytes) {
    std::filesystem::create_directories(std::filesystem::path(folder_.path(name)).parent_path());
    std::ofstream(folder_.path(name), std::ios::binary) << bytes;
  }
  static std::string golden(const std::string& name) {
    return testing::read_golden("images", name).bytes("file");
  }
  CheckReport check(const ImageLimits& limits = {}) {
    const SourcePtr source = image_folder(folder_.path().string(), {.image_size = {8, 8}});
    return check_records(*source, {.fields = {{.name = "x"}, {.role = FieldRole::target}},
                                   .are_images = true,
                                   .limits = limits});
  }

  TemporaryFolder folder_;
};

TEST_F(CheckFolder, TellsWhatIsWrongWithEachFile) {
  add("a/1.png", golden("png_rgb_8bit"));
  add("a/2.jpg", "");
  add("a/3.jpg", "<html>");
  add("b/1.jpg", golden("jpeg_rgb"));
  add("b/2.png", golden("png_rgb_8bit").substr(0, 100));
  std::filesystem::create_symlink("nowhere", folder_.path("b/3.jpg"));
  const CheckReport report = check();
  std::vector<std::pair<std::string, Flaw>> found;
  for (const BadEntry& entry : report.bad)
    found.emplace_back(entry.path.substr(folder_.path().string().size() + 1), entry.flaw);
  EXPECT_THAT(
      found,
      ElementsAre(std::pair("a/2.jpg", Flaw::empty), std::pair("a/3.jpg", Flaw::not_an_image),
                  std::pair("b/2.png", Flaw::truncated), std::pair("b/3.jpg", Flaw::unreadable)));
  for (const BadEntry& entry : report.bad) EXPECT_THAT(entry.detail, Not(IsEmpty()));
  EXPECT_EQ(report.records, 6);
}

TEST_F(CheckFolder, ComparesTheBytesOfFiles) {
  add("a/1.png", golden("png_rgb_8bit"));
  add("a/2.png", golden("png_rgb_8bit"));
  add("b/1.png", golden("png_rgb_8bit"));
  const CheckReport report = check();
  EXPECT_THAT(reasons(report), ElementsAre("duplicate", "conflicting_label"));
  EXPECT_EQ(report.classes[0].name, "a");
}

TEST_F(CheckFolder, FilesOverTheLimitAreNotRead) {
  add("a/1.png", golden("png_rgb_8bit"));
  const CheckReport report = check({.file_bytes = 10});
  ASSERT_EQ(report.bad.size(), 1u);
  EXPECT_EQ(report.bad[0].flaw, Flaw::too_large);
}

}  // namespace
}  // namespace plimsoll
