// The position in the data is a few numbers, whatever the pipeline: stopped after any batch, a
// reader that knows nothing but the saved state goes on with the same bytes.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "plimsoll/base/error.h"
#include "plimsoll/data/loader/loader.h"
#include "plimsoll/data/sources/generator.h"
#include "plimsoll/data/stages/cached.h"
#include "plimsoll/data/stages/chosen.h"
#include "plimsoll/data/stages/mapped.h"
#include "plimsoll/data/stages/shuffled.h"
#include "plimsoll/data/stages/stages.h"
#include "plimsoll/formats/checkpoint/checkpoint_folder.h"
#include "tests/support/faulty_file_system.h"

namespace plimsoll {
namespace {

constexpr int64_t kEpochs = 3;
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

// Every seventh record or so cannot be read, if `has_bad`.
SourcePtr numbers(int64_t count, bool has_bad) {
  return from_generator({{DType::float32, {2}}, {DType::int32, {}}}, count,
                        [has_bad](int64_t record, const RecordWriter& into) {
                          if (has_bad && record % 7 == 3) throw CorruptFile("it is torn");
                          into.field<float>(0)[0] = static_cast<float>(record);
                          into.field<float>(0)[1] = 0.5f;
                          into.field<int32_t>(1)[0] = static_cast<int32_t>(record);
                        });
}

// Another number in each epoch, as augmentation draws it.
void change_by_epoch(RecordId id, const RecordWriter& record) {
  record.field<float>(0)[1] += static_cast<float>(id.number * 31 + id.epoch * 1009 % 77);
}

SourcePtr stage_upon(const SourcePtr& source, Draw& draw, bool has_bad) {
  switch (draw(0, has_bad ? 8 : 9)) {
    case 0:
      return shuffled(source, {.seed = draw(0, 99)});
    case 1:
      return shuffled(source, {.seed = draw(0, 99), .reshuffle_each_epoch = false});
    case 2:
      return mapped(source, change_by_epoch);
    case 3:
      return repeat(source, draw(1, 3));
    case 4:
      return source->size() > 8 ? take(source, draw(5, 20)) : source;
    case 5:
      return source->size() > 8 ? skip(source, draw(1, 4)) : source;
    case 6:
      return source->size() > 8 ? shard(source, 2, draw(0, 1)) : source;
    case 7:
      return concatenate({source, shuffled(source, {.seed = draw(0, 99)})});
    case 8:
      return interleave({source, source}, {.block_length = draw(1, 3)});
    default:
      if (draw(0, 1) == 0) return cached(source);
      return filtered(source, [](const RecordReader& it) { return it.field<int32_t>(1)[0] != 2; });
  }
}

SourcePtr random_pipeline(Draw draw, bool has_bad) {
  SourcePtr source = numbers(draw(4, 40), has_bad);
  for (int stages = draw(1, 5); stages > 0; --stages) source = stage_upon(source, draw, has_bad);
  return source->size() > 200 ? take(source, 200) : source;
}

// A batch as bytes: its records, each field of each part.
Bytes read_batch(Loader& loader) {
  Bytes bytes;
  for (int64_t part = 0; part < loader.parts().count; ++part) {
    loader.load(part);
    for (int field = 0; field < std::ssize(loader.fields()); ++field) {
      const int64_t count =
          loader.parts().size(part) * loader.fields()[static_cast<size_t>(field)].bytes();
      bytes.insert(bytes.end(), loader.field(field), loader.field(field) + count);
    }
  }
  return bytes;
}

// Reads up to `most` batches, from epoch `epoch` on, of which some may have been read.
std::vector<Bytes> read_on(Loader& loader, int64_t& epoch, size_t most) {
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

void carry_over(const Loader& from, Loader& to) {
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

TEST(DataPosition, OfAnyPipelineGoesOnWithTheSameBytes) {
  constexpr size_t kAll = 1000000;
  for (unsigned round = 0; round < 300; ++round) {
    Draw draw(round);
    const bool has_bad = draw(0, 2) == 0;
    const int64_t batch = draw(1, 9);
    LoaderOptions options{.part_size = draw(0, 4),
                          .workers = draw(0, 2),
                          .windows = draw(1, 4),
                          .bad = {.then = OnBadRecord::skip, .most = 1}};
    // The pipeline of another process is made anew: it has kept nothing.
    const auto make = [&] { return random_pipeline(Draw(round + 1000), has_bad); };
    Loader whole(make(), batch, options), first(make(), batch, options);
    int64_t epoch = 0, stopped_in = 0;
    whole.start_epoch(0);
    const std::vector<Bytes> all = read_on(whole, epoch, kAll);
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
}

}  // namespace
}  // namespace plimsoll
