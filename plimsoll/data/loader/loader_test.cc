#include "plimsoll/data/loader/loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>

#include "plimsoll/base/error.h"
#include "plimsoll/data/stages/shuffled.h"

namespace plimsoll {
namespace {

// Record i is the numbers i and i + 0.5, and the label i; some cannot be read.
class Counting final : public Source {
 public:
  explicit Counting(int64_t records, std::set<int64_t> bad = {})
      : records_(records), bad_(std::move(bad)) {}

  int64_t size() const override { return records_; }
  const Specs& fields() const override { return fields_; }
  void read(RecordId id, std::span<std::byte* const> into) const override {
    const float pair[] = {static_cast<float>(id.number), static_cast<float>(id.number) + 0.5f};
    const auto label = static_cast<int32_t>(id.number);
    std::memcpy(into[0], pair, sizeof pair);
    if (bad_.contains(id.number)) throw CorruptFile(name(id) + ": is bad");
    std::memcpy(into[1], &label, sizeof label);
  }

 private:
  int64_t records_;
  std::set<int64_t> bad_;
  Specs fields_ = {{DType::float32, {2}}, {DType::int32, {}}};
};

SourcePtr counting(int64_t records, std::set<int64_t> bad = {}) {
  return std::make_shared<Counting>(records, std::move(bad));
}

using Labels = std::vector<int32_t>;

// The labels of the batch, read `passes` times; checks that the fields of a record stay together.
Labels labels_of_batch(Loader& loader, int passes = 1) {
  Labels labels;
  for (int pass = 0; pass < passes; ++pass) {
    labels.clear();
    for (int64_t part = 0; part < loader.parts().count; ++part) {
      loader.load(part);
      const auto* x = reinterpret_cast<const float*>(loader.field(0));
      const auto* y = reinterpret_cast<const int32_t*>(loader.field(1));
      for (int64_t row = 0; row < loader.parts().size(part); ++row) {
        EXPECT_EQ(static_cast<float>(y[row]) + 0.5f, x[2 * row + 1]);
        labels.push_back(y[row]);
      }
    }
  }
  return labels;
}

std::vector<Labels> rest_of_epoch(Loader& loader, int passes = 1) {
  std::vector<Labels> batches;
  while (loader.begin_batch() > 0) batches.push_back(labels_of_batch(loader, passes));
  return batches;
}

std::vector<Labels> epoch(Loader& loader, int64_t number, int passes = 1) {
  loader.start_epoch(number);
  return rest_of_epoch(loader, passes);
}

TEST(Loader, GivesEachRecordOnceWhateverTheOrder) {
  Loader loader(shuffled(counting(10), {.seed = 1}), 4, {.workers = 2, .windows = 3});
  const auto batches = epoch(loader, 0);
  ASSERT_EQ(batches.size(), 3u);
  EXPECT_EQ(batches[2].size(), 2u);
  std::set<int32_t> seen;
  for (const Labels& labels : batches) seen.insert(labels.begin(), labels.end());
  EXPECT_EQ(seen.size(), 10u);
}

TEST(Loader, KnowsItsBatchesBeforehand) {
  const Loader loader(counting(10), 4);
  EXPECT_EQ(loader.batch_count(), 3);
  EXPECT_EQ(loader.records_of(2), 2);
  EXPECT_EQ(Loader(counting(3), 32).batch_size(), 3);
}

TEST(Loader, TakesTheBytesThatAreKnownBeforeItIsMade) {
  for (const int64_t part_size : {0, 3})
    for (const int windows : {1, 4})
      for (const OnBadRecord then : {OnBadRecord::fail, OnBadRecord::skip}) {
        const LoaderOptions options{
            .part_size = part_size, .windows = windows, .bad = {.then = then}};
        const SourcePtr source = counting(20);
        EXPECT_EQ(loader_bytes(source->fields(), 8, options),
                  Loader(source, 8, options).buffer_bytes());
      }
}

TEST(Loader, RefusesWhatCannotWork) {
  EXPECT_THROW(Loader(counting(3), 0), InvalidArgument);
  EXPECT_THROW(Loader(counting(0), 2), InvalidArgument);
  EXPECT_THROW(Loader(counting(3), 2, {.bad = {.most = 2}}), InvalidArgument);
}

TEST(Loader, FailsAtTheFirstBadRecordAndNamesTheChoices) {
  for (const int workers : {0, 3}) {
    Loader loader(counting(100, {17, 18, 40}), 8, {.workers = workers, .windows = 4});
    loader.start_epoch(0);
    EXPECT_THAT([&] { rest_of_epoch(loader); },
                testing::ThrowsMessage<CorruptFile>(testing::AllOf(
                    testing::StartsWith("17: is bad"), testing::HasSubstr("--on-bad-record"))));
    EXPECT_EQ(loader.position().row, 16);
  }
}

TEST(Loader, StopsWhereTooManyAreBad) {
  Loader loader(counting(100, {17, 18, 40}), 8, {.bad = {.then = OnBadRecord::skip, .most = 0.02}});
  loader.start_epoch(0);
  EXPECT_THAT([&] { rest_of_epoch(loader); },
              testing::ThrowsMessage<CorruptFile>(testing::HasSubstr("bad record 3 of 100")));
}

TEST(Loader, ReportsEachBadRecordOnce) {
  Loader loader(counting(50, {3, 4, 49}), 8, {.bad = {.then = OnBadRecord::skip, .most = 0.1}});
  std::vector<std::string> names;
  loader.bad_records().report_to([&](const BadRecord& record) {
    EXPECT_EQ(record.reason, "damaged");
    EXPECT_EQ(record.detail, "is bad");
    EXPECT_EQ(record.epoch, 0);
    names.push_back(record.name);
  });
  epoch(loader, 0);
  epoch(loader, 1);
  EXPECT_THAT(names, testing::UnorderedElementsAre("3", "4", "49"));
  EXPECT_EQ(loader.record_count(), 47);
}

// A case of the property: with bad records left out, a source gives what the same source without
// them gives.
struct Case {
  int64_t records, batch, part;
  int passes, workers, windows;
  std::set<int64_t> bad = {};
};

Case random_case(std::mt19937& random) {
  const auto draw = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  Case drawn{.records = draw(1, 60),
             .batch = draw(1, 20),
             .part = draw(0, 7),
             .passes = draw(1, 2),
             .workers = draw(0, 3),
             .windows = draw(1, 4)};
  const int share = draw(0, 3) * 15;
  for (int64_t i = 0; i < drawn.records; ++i)
    if (draw(0, 99) < share) drawn.bad.insert(i);
  return drawn;
}

LoaderOptions options_of(const Case& drawn) {
  return {.part_size = drawn.part,
          .passes = drawn.passes,
          .workers = drawn.workers,
          .windows = drawn.windows,
          .bad = {.then = OnBadRecord::skip, .most = 1}};
}

// In plain words what an epoch gives.
std::vector<Labels> expected(const Case& drawn, const Source& source, int64_t number) {
  std::vector<Labels> batches;
  for (int64_t i = 0; i < drawn.records; ++i) {
    const int64_t record = std::stoll(source.name({i, number}));
    if (drawn.bad.contains(record)) continue;
    if (batches.empty() || std::ssize(batches.back()) == std::min(drawn.batch, drawn.records))
      batches.emplace_back();
    batches.back().push_back(static_cast<int32_t>(record));
  }
  return batches;
}

TEST(Loader, LeavesBadRecordsOutAsIfTheyWereNotThere) {
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    const Case drawn = random_case(random);
    const SourcePtr source = shuffled(counting(drawn.records, drawn.bad), {.seed = round});
    Loader loader(source, drawn.batch, options_of(drawn));
    for (int64_t number = 0; number < 3; ++number)
      EXPECT_EQ(epoch(loader, number, drawn.passes), expected(drawn, *source, number))
          << "round " << round << ", epoch " << number;
  }
}

TEST(Loader, GoesOnAtAnyBatchWithAnyNumberOfWorkers) {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    const Case drawn = random_case(random);
    const SourcePtr source = shuffled(counting(drawn.records, drawn.bad), {.seed = round});
    const std::vector<Labels> whole = expected(drawn, *source, 5);
    Loader first(source, drawn.batch, options_of(drawn));
    first.start_epoch(5);
    const auto stop = std::uniform_int_distribution<size_t>(0, whole.size())(random);
    for (size_t i = 0; i < stop; ++i) {
      first.begin_batch();
      labels_of_batch(first, drawn.passes);
    }
    Case other = drawn;
    other.workers = (drawn.workers + 1) % 4;
    Loader second(source, drawn.batch, options_of(other));
    second.start(first.next_position());
    const std::vector<Labels> rest(whole.begin() + static_cast<std::ptrdiff_t>(stop), whole.end());
    EXPECT_EQ(rest_of_epoch(second, drawn.passes), rest) << "round " << round;
  }
}

// As the records of a step that was skipped are, whatever happens to records that cannot be read.
TEST(Loader, ReadsNoRecordTwiceInThePlaceOfThoseThatAreLeftOut) {
  for (const int64_t records : {16, 17, 20}) {
    Loader loader(shuffled(counting(records), {.seed = 3}), 4, {.workers = 2, .windows = 2});
    loader.bad_records().leave_out(counting(records)->name({5, 0}));
    for (int64_t epoch = 0; epoch < 3; ++epoch) {
      loader.start_epoch(epoch);
      Labels all;
      while (loader.begin_batch() > 0)
        for (const int32_t label : labels_of_batch(loader)) all.push_back(label);
      std::ranges::sort(all);
      EXPECT_EQ(std::ssize(all), records - 1);
      EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
      EXPECT_EQ(std::ranges::find(all, 5), all.end());
    }
  }
}

TEST(Loader, MayBeStartedAgainAtAnyTime) {
  Loader loader(counting(100), 8, {.workers = 2, .windows = 4});
  for (int i = 0; i < 50; ++i) {
    loader.start_epoch(0);
    ASSERT_EQ(loader.begin_batch(), 8);
    EXPECT_EQ(labels_of_batch(loader), (Labels{0, 1, 2, 3, 4, 5, 6, 7}));
  }
}

}  // namespace
}  // namespace plimsoll
