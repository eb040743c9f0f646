// The position in the data is a few numbers, whatever the pipeline: stopped after any batch, a
// reader that knows nothing but the saved state goes on with the same bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/data/loader/loader.h"
#include "plimsoll/data/loader/stream_loader.h"
#include "plimsoll/data/sources/generator.h"
#include "plimsoll/data/stages/cached.h"
#include "plimsoll/data/stages/chosen.h"
#include "plimsoll/data/stages/finite_records.h"
#include "plimsoll/data/stages/mapped.h"
#include "plimsoll/data/stages/repaired.h"
#include "plimsoll/data/stages/shuffled.h"
#include "plimsoll/data/stages/split.h"
#include "plimsoll/data/stages/stages.h"
#include "plimsoll/data/stages/windows.h"
#include "plimsoll/formats/checkpoint/checkpoint_folder.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/list_stream.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using testing::host_tensor;
using testing::listed_stream;
using testing::ListedBatch;
using testing::ListedBatches;

constexpr int64_t kEpochs = 3;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
using Bytes = std::vector<std::byte>;

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  int operator()(int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random_);
  }

 private:
  std::mt19937 random_;
};

// Of every record that is drawn here, whatever stages it went through.
const Specs& fields() {
  static const Specs specs = {{DType::float32, {2}}, {DType::int32, {}}};
  return specs;
}

void write_number(int64_t record, const RecordWriter& into) {
  into.field<float>(0)[0] = static_cast<float>(record);
  into.field<float>(0)[1] = 0.5f;
  into.field<int32_t>(1)[0] = static_cast<int32_t>(record);
}

// Every `bad_every`-th record or so cannot be read; 0: all can.
SourcePtr numbers(int64_t count, int64_t bad_every) {
  return from_generator(fields(), count, [bad_every](int64_t record, const RecordWriter& into) {
    if (bad_every > 0 && record % bad_every == 3) throw CorruptFile("it is torn");
    write_number(record, into);
  });
}

// Records that are made one after the other, their number known before or not.
SourcePtr made_in_turn(int64_t count, bool is_known, const std::string& folder) {
  const auto next = [count, made = int64_t{0}](const RecordWriter& into) mutable {
    if (made == count) return false;
    write_number(made++, into);
    return true;
  };
  return from_generator(
      fields(), next,
      {.records = is_known ? std::optional(count) : std::nullopt, .folder = folder});
}

// The sums of all numbers in field 0, and the first number in field 1.
SourcePtr summed(const SourcePtr& source) {
  return mapped(source, fields(), [](RecordId, const RecordReader& from, const RecordWriter& to) {
    const std::span<const float> given = from.field<float>(0);
    const std::span<float> sums = to.field<float>(0);
    sums[0] = sums[1] = 0;
    for (size_t i = 0; i < given.size(); ++i) sums[i % 2] += given[i];
    to.field<int32_t>(1)[0] = from.field<int32_t>(1)[0];
  });
}

// A row that cannot be read spoils several windows.
SourcePtr windows_over_a_series(Draw& draw, bool has_bad) {
  const WindowOptions options{.window = draw(1, has_bad ? 2 : 4),
                              .horizon = draw(1, has_bad ? 1 : 3),
                              .stride = draw(1, 2)};
  return summed(windows(numbers(draw(16, 50), has_bad ? 23 : 0), options, "series"));
}

// The first field of a source beside that of the same records in another order.
SourcePtr zipped_with_itself(const SourcePtr& source, Draw& draw, bool has_bad) {
  // A pair that cannot be read is known by its names, which must not be others in each epoch.
  const bool reshuffles = !has_bad && draw(0, 1) == 1;
  if (has_bad && !source->has_fixed_order()) return source;
  const SourcePtr other =
      shuffled(source, {.seed = draw(0, 99), .reshuffle_each_epoch = reshuffles});
  return mapped(zipped({source, other}), fields(),
                [](RecordId, const RecordReader& from, const RecordWriter& to) {
                  to.field<float>(0)[0] = from.field<float>(0)[1] + from.field<float>(2)[0];
                  to.field<float>(0)[1] = from.field<float>(2)[1];
                  to.field<int32_t>(1)[0] = from.field<int32_t>(3)[0];
                });
}

// Every fifth record has a NaN, which is replaced by a number, or by one that all records give.
SourcePtr spoilt_and_repaired(const SourcePtr& source, Draw& draw, bool has_bad) {
  const SourcePtr spoilt = mapped(source, [](RecordId id, const RecordWriter& record) {
    if (id.number % 5 == 2) record.field<float>(0)[id.number % 2] = kNan;
  });
  const int choice = draw(0, has_bad ? 0 : 2);
  if (choice == 0) return repaired(spoilt, {{0.25f, -7}, {}});
  return repaired(spoilt,
                  column_values(spoilt, {0}, choice == 1 ? RepairWith::mean : RepairWith::median));
}

// One of two parts, if both have records.
SourcePtr part_of(const SourcePtr& source, Draw& draw) {
  SplitOptions options{.validation_split = 0.4};
  const bool may_mix = source->overlap() == 0;
  if (may_mix && draw(0, 1) == 1) options.seed = draw(0, 99);
  if (may_mix && draw(0, 2) == 0) options.by = SplitOptions::By::hash;
  try {
    const SplitSources parts = split(source, options);
    return draw(0, 1) == 0 ? parts.train : parts.validation;
  } catch (const InvalidArgument&) {
    return source;
  }
}

// Another number in each epoch, as augmentation draws it.
void change_by_epoch(RecordId id, const RecordWriter& record) {
  record.field<float>(0)[1] += static_cast<float>(id.number * 31 + id.epoch * 1009 % 77);
}

SourcePtr kept(const SourcePtr& source, Draw& draw, const std::string& folder) {
  return cached(source, draw(0, 1) == 0 ? "" : folder);
}

SourcePtr filtered_or_kept(const SourcePtr& source, Draw& draw, bool has_bad,
                           const std::string& folder) {
  if (has_bad || draw(0, 2) > 0) return kept(source, draw, folder);
  return filtered(source, [](const RecordReader& it) { return it.field<int32_t>(1)[0] != 2; });
}

SourcePtr stage_upon(const SourcePtr& source, Draw& draw, bool has_bad, const std::string& folder) {
  const bool has_many = source->size() > 8;
  switch (draw(0, 12)) {
    case 0:
      return shuffled(source, {.seed = draw(0, 99)});
    case 1:
      return shuffled(source, {.seed = draw(0, 99), .reshuffle_each_epoch = false});
    case 2:
      return mapped(source, change_by_epoch);
    case 3:
      return repeat(source, draw(1, 3));
    case 4:
      return has_many ? take(source, draw(5, 20)) : source;
    case 5:
      return has_many ? skip(source, draw(1, 4)) : source;
    case 6:
      return has_many ? shard(source, 2, draw(0, 1)) : source;
    case 7:
      return concatenate({source, shuffled(source, {.seed = draw(0, 99)})});
    case 8:
      return interleave({source, source}, {.block_length = draw(1, 3)});
    case 9:
      return zipped_with_itself(source, draw, has_bad);
    case 10:
      return spoilt_and_repaired(source, draw, has_bad);
    case 11:
      return has_many ? part_of(source, draw) : source;
    default:
      return filtered_or_kept(source, draw, has_bad, folder);
  }
}

SourcePtr drawn_source(Draw& draw, bool has_bad, const std::string& folder) {
  switch (draw(0, has_bad ? 2 : 3)) {
    case 0:
      return windows_over_a_series(draw, has_bad);
    case 3:
      return made_in_turn(draw(4, 40), draw(0, 1) == 1, folder);
    default:
      return numbers(draw(4, 40), has_bad ? 11 : 0);
  }
}

// `folder`: where records may be kept.
SourcePtr random_pipeline(Draw draw, bool has_bad, const std::string& folder) {
  SourcePtr source = drawn_source(draw, has_bad, folder);
  for (int stages = draw(1, 5); stages > 0; --stages)
    source = stage_upon(source->size() > 400 ? take(source, 400) : source, draw, has_bad, folder);
  return source->size() > 200 ? take(source, 200) : source;
}

// A batch as bytes: its records, each field of each part.
Bytes read_batch(BatchReader& loader) {
  Bytes bytes;
  for (int64_t part = 0; part < loader.parts().count; ++part) {
    loader.load_part(part);
    for (int field = 0; field < std::ssize(loader.fields()); ++field) {
      const int64_t count =
          loader.parts().size(part) * loader.fields()[static_cast<size_t>(field)].bytes();
      bytes.insert(bytes.end(), loader.field(field), loader.field(field) + count);
    }
  }
  return bytes;
}

// Reads up to `most` batches, from epoch `epoch` on, of which some may have been read.
std::vector<Bytes> read_on(BatchReader& loader, int64_t& epoch, size_t most) {
  std::vector<Bytes> batches;
  while (batches.size() < most && epoch < kEpochs) {
    if (loader.begin_batch() > 0) {
      batches.push_back(read_batch(loader));
    } else if (++epoch < kEpochs) {
      loader.start_epoch(epoch);
    }
  }
  return batches;
}

void carry_over(const BatchReader& from, BatchReader& to) {
  FaultyFileSystem disk;
  CheckpointFolder folder("run", disk);
  folder.write(1, 1, [&](CheckpointWriter& file) {
    StateWriter state(file);
    from.save_state(state);
  });
  std::vector<Finding> findings;
  const auto file = folder.newest(findings);
  to.load_state(StateReader(*file));
}

constexpr size_t kAll = 1000000;

TEST(DataPosition, OfAnyPipelineGoesOnWithTheSameBytes) {
  const TemporaryFolder folder;
  int tried = 0;
  for (unsigned round = 0; round < 400; ++round) {
    Draw draw(round);
    const bool has_bad = draw(0, 2) == 0;
    const int64_t batch = draw(1, 9);
    LoaderOptions options{.part_size = draw(0, 4),
                          .workers = draw(0, 2),
                          .windows = draw(1, 4),
                          .bad = {.then = OnBadRecord::skip, .most = 1}};
    // The pipeline of another process is made anew: it has kept nothing.
    const auto make = [&] {
      return random_pipeline(Draw(round + 1000), has_bad, folder.path().string());
    };
    Loader whole(make(), batch, options), first(make(), batch, options);
    int64_t epoch = 0, stopped_in = 0;
    whole.start_epoch(0);
    const std::vector<Bytes> all = read_on(whole, epoch, kAll);
    if (all.empty()) continue;  // every record is bad
    ++tried;
    first.start_epoch(0);
    const auto stop = static_cast<size_t>(draw(1, static_cast<int>(all.size())));
    std::vector<Bytes> found = read_on(first, stopped_in, stop);
    options.workers = draw(0, 2);
    Loader second(make(), batch, options);
    carry_over(first, second);
    for (Bytes& rest : read_on(second, stopped_in, kAll)) found.push_back(std::move(rest));
    ASSERT_EQ(found.size(), all.size()) << "round " << round << ", stopped after " << stop;
    ASSERT_TRUE(found == all) << "round " << round << ", stopped after " << stop;
  }
  EXPECT_GT(tried, 390);
}

// --- data that comes batch by batch --------------------------------------------------------------

// Records of `width` numbers, counted from `first`; those that are bad have a NaN.
ListedBatch batch_of(int64_t first, const std::vector<bool>& is_bad, int64_t width) {
  const auto records = static_cast<int64_t>(is_bad.size());
  std::vector<float> numbers(static_cast<size_t>(records * width), static_cast<float>(first));
  std::vector<int32_t> counted;
  for (int64_t i = 0; i < records; ++i) {
    counted.push_back(static_cast<int32_t>(first + i));
    if (is_bad[static_cast<size_t>(i)]) numbers[static_cast<size_t>(i * width)] = kNan;
  }
  return {host_tensor(numbers, {records, width}), host_tensor(counted, {records})};
}

// Of any number of records, which are of another shape now and then.
ListedBatches drawn_batches(Draw& draw, bool has_bad) {
  ListedBatches batches;
  int64_t first = 0;
  for (int left = draw(1, 6); left > 0; --left) {
    std::vector<bool> is_bad(static_cast<size_t>(draw(1, 9)));
    for (size_t i = 0; i < is_bad.size(); ++i) is_bad[i] = has_bad && draw(0, 3) == 0;
    batches.push_back(batch_of(first, is_bad, draw(0, 2) == 0 ? draw(1, 4) : 3));
    first += std::ssize(is_bad);
  }
  return batches;
}

SourcePtr stream_of(const ListedBatches& batches) {
  return finite_records(listed_stream(batches), {"x", "y"});
}

StreamLoaderOptions skipping(int windows) {
  return {.windows = windows, .bad = {.then = OnBadRecord::skip, .most = 1}};
}

TEST(DataPosition, OfAnyStreamGoesOnWithTheSameBytes) {
  int tried = 0;
  for (unsigned round = 0; round < 300; ++round) {
    Draw draw(round);
    const ListedBatches batches = drawn_batches(draw, draw(0, 1) == 0);
    StreamLoader whole(stream_of(batches), skipping(1));
    StreamLoader first(stream_of(batches), skipping(draw(1, 3)));
    StreamLoader second(stream_of(batches), skipping(draw(1, 3)));
    int64_t epoch = 0, stopped_in = 0;
    whole.start_epoch(0);
    const std::vector<Bytes> all = read_on(whole, epoch, kAll);
    if (all.empty()) continue;  // every record is bad
    ++tried;
    first.start_epoch(0);
    const auto stop = static_cast<size_t>(draw(1, static_cast<int>(all.size())));
    std::vector<Bytes> found = read_on(first, stopped_in, stop);
    carry_over(first, second);
    EXPECT_EQ(second.batch_number(), first.batch_number());
    EXPECT_EQ(second.bad_records().count(), first.bad_records().count());
    EXPECT_EQ(second.expected_batches(), first.expected_batches());
    for (Bytes& rest : read_on(second, stopped_in, kAll)) found.push_back(std::move(rest));
    ASSERT_EQ(found.size(), all.size()) << "round " << round << ", stopped after " << stop;
    ASSERT_TRUE(found == all) << "round " << round << ", stopped after " << stop;
  }
  EXPECT_GT(tried, 280);
}

// A run keeps its state at the end of an epoch too. No record of the last batch was given.
TEST(DataPosition, AtTheEndOfAPassOfAStreamIsTheEndOfThePass) {
  const ListedBatches batches = {batch_of(0, {false, true}, 2), batch_of(2, {false}, 2),
                                 batch_of(3, {true, true}, 2)};
  for (const int windows : {1, 2}) {
    StreamLoader first(stream_of(batches), skipping(windows));
    int64_t epoch = 0;
    first.start_epoch(0);
    const std::vector<Bytes> pass = read_on(first, epoch, 2);
    ASSERT_EQ(first.begin_batch(), 0);
    StreamLoader second(stream_of(batches), skipping(windows));
    carry_over(first, second);
    EXPECT_FALSE(second.has_next());
    EXPECT_EQ(second.begin_batch(), 0);
    second.start_epoch(1);
    EXPECT_EQ(read_on(second, epoch, 2), pass);
  }
}

// The batches that were read before are gone.
TEST(DataPosition, OfAStreamThatHasBecomeShorterIsRefused) {
  const ListedBatches batches = {batch_of(0, {false}, 2), batch_of(1, {false}, 2)};
  StreamLoader first(stream_of(batches), skipping(1));
  int64_t epoch = 0;
  first.start_epoch(0);
  read_on(first, epoch, 2);
  StreamLoader second(stream_of({batches[0]}), skipping(1));
  EXPECT_THAT([&] { carry_over(first, second); },
              ::testing::ThrowsMessage<InvalidArgument>(
                  ::testing::HasSubstr("the data has ended after 1 batches; 2 were read before")));
}

}  // namespace
}  // namespace plimsoll
