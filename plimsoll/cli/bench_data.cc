// plimsoll bench-data: measures how fast data can be read, stage by stage, and what limits it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "plimsoll/base/stop_signals.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/cli/augment_arguments.h"
#include "plimsoll/cli/command_list.h"
#include "plimsoll/cli/data_arguments.h"
#include "plimsoll/cli/output.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/data/images/augment_image.h"
#include "plimsoll/data/kinds/open_fields.h"
#include "plimsoll/data/sources/image_source.h"
#include "plimsoll/data/stages/finite_records.h"
#include "plimsoll/data/stages/shuffled.h"
#include "plimsoll/formats/images/image.h"
#include "plimsoll/train/data/reading_options.h"
#include "plimsoll/train/loop.h"

namespace plimsoll::cli {
namespace {

struct BenchDataArguments {
  DataArguments data;
  std::string augmentation;
  int64_t batch_size = 32;
  int workers = 0;
  double seconds = 2;
  bool json = false;
};

constexpr const char* kBenchHelp =
    "Each stage is measured together with the stages before it, on one thread. Then batches are\n"
    "read as training reads them. The first measurement also brings files into the system's "
    "cache.\n\n"
    "Example:\n\n"
    "  plimsoll bench-data photos --image-size 224x224 --augment flip,rotation=20\n";

bool read(Arguments arguments, BenchDataArguments& into) {
  CLI::App app("Measures how fast data can be read, stage by stage.", "plimsoll bench-data");
  add_data(app, into.data);
  app.add_option("--batch-size,--batch", into.batch_size, "records per batch (default: 32)")
      ->option_text("N")
      ->check(count());
  app.add_option("--workers", into.workers, "threads that read batches (default: one per core)")
      ->option_text("N")
      ->check(count());
  app.add_option("--seconds", into.seconds, "how long each stage is measured (default: 2)")
      ->option_text("X")
      ->check(positive());
  add_augmentation(app, into.augmentation);
  add_data_options(app, into.data);
  app.add_flag("--json", into.json, "print the figures as JSON");
  app.footer(kBenchHelp);
  return parse(app, arguments);
}

// The speed of a stage together with the stages before it.
struct StageSpeed {
  std::string name;
  double records_per_second = 0;
  double seconds() const { return 1 / records_per_second; }
};

// Takes decoded rows and drops them.
class NoRows final : public ImageRows {
 public:
  void begin(int64_t, int64_t, int64_t) override {}
  void add(const uint8_t*, int64_t) override {}
};

class BenchData {
 public:
  BenchData(const BenchDataArguments& arguments, Findings& findings) : arguments_(arguments) {
    DataOptions options = data_options(arguments.data, findings);
    if (!arguments.data.classes.empty()) options.class_names = read_classes(arguments.data.classes);
    const NamedFields fields = open_as_it_is(arguments.data.path, options);
    is_images_ = *fields.are_images;
    files_ = fields.records;
    source_ = shuffled(files_, {});
  }

  void run() {
    if (is_images_) {
      measure("files", [&](int64_t record) { read_file(record); });
      measure("decode", [&](int64_t record) { decode(record); });
    }
    measure(is_images_ ? "resize" : "read", [&](int64_t record) { read_record(record); });
    if (!arguments_.augmentation.empty()) {
      source_ = augmented(source_, parse_augmentation(arguments_.augmentation), 0);
      measure("augment", [&](int64_t record) { read_record(record); });
    }
    source_ = finite_records(source_);
    measure("check", [&](int64_t record) { read_record(record); });
    for (int workers = 1; workers <= most_workers(); workers *= 2) measure_batches(workers);
  }

  void print() const {
    if (arguments_.json) return print_json();
    std::printf("%-20s %12s %9s\n", "stage", "records/s", "share");
    for (size_t i = 0; i < stages_.size(); ++i)
      std::printf("%-20s %12.0f %8.0f%%\n", stages_[i].name.c_str(), stages_[i].records_per_second,
                  share(i) * 100);
    for (const StageSpeed& batches : batches_)
      std::printf("%-20s %12.0f\n", batches.name.c_str(), batches.records_per_second);
    const size_t slowest = slowest_stage();
    std::printf("the slowest stage is '%s'; it takes %.0f%% of the time per record%s\n",
                stages_[slowest].name.c_str(), share(slowest) * 100, remedy(slowest).c_str());
  }

 private:
  int most_workers() const { return arguments_.workers > 0 ? arguments_.workers : thread_count(); }

  void measure(const std::string& name, const std::function<void(int64_t)>& read) {
    for (const Spec& field : source_->fields())
      if (room_.size() < source_->fields().size())
        room_.push_back(std::make_shared<Storage>(field.bytes()));
    int64_t record = 0;
    const Stopwatch watch;
    do {
      StopSignals::check();
      read(record % source_->size());
      ++record;
    } while (watch.seconds() < arguments_.seconds);
    stages_.push_back({name, static_cast<double>(record) / watch.seconds()});
  }

  void measure_batches(int workers) {
    const int64_t batch = batch_size_of(*source_, arguments_.batch_size);
    Loader loader(source_, batch, loader_options(*source_, batch, {}, {.workers = workers}));
    const Stopwatch watch;
    int64_t records = 0;
    for (int64_t epoch = 0; watch.seconds() < arguments_.seconds; ++epoch) {
      loader.start_epoch(epoch);
      while (watch.seconds() < arguments_.seconds) {
        StopSignals::check();
        const int64_t rows = loader.begin_batch();
        if (rows == 0) break;
        for (int64_t part = 0; part < loader.parts().count; ++part) loader.load(part);
        records += rows;
      }
    }
    batches_.push_back({fmt::format("batches, {} worker(s)", workers),
                        static_cast<double>(records) / watch.seconds()});
  }

  void read_file(int64_t record) {
    with_image_file(*files_, record, [](std::span<const std::byte>) {});
  }

  void decode(int64_t record) {
    with_image_file(*files_, record, [&](std::span<const std::byte> bytes) {
      NoRows rows;
      decode_image(bytes, files_->name(record), {}, rows);
    });
  }

  void read_record(int64_t record) {
    std::vector<std::byte*> into;
    for (const StoragePtr& room : room_) into.push_back(room->data());
    source_->read(record, into);
  }

  // The share of this stage in the time per record on one thread.
  double share(size_t stage) const {
    const double before = stage == 0 ? 0 : stages_[stage - 1].seconds();
    return std::max(0.0, stages_[stage].seconds() - before) / stages_.back().seconds();
  }

  size_t slowest_stage() const {
    size_t slowest = 0;
    for (size_t i = 1; i < stages_.size(); ++i)
      if (share(i) > share(slowest)) slowest = i;
    return slowest;
  }

  std::string remedy(size_t stage) const {
    const std::string& name = stages_[stage].name;
    if (name == "decode")
      return "; smaller files or `plimsoll convert` to a .npz would help, and so would "
             "--fast-decode "
             "if the files are much larger than the image size";
    if (name == "files") return "; a faster disk, or fewer and larger files (.tar), would help";
    if (name == "augment") return "; fewer augmentations would help";
    return "";
  }

  void print_json() const {
    nlohmann::ordered_json json = {{"records", source_->size()},
                                   {"stages", nlohmann::ordered_json::array()},
                                   {"batches", nlohmann::ordered_json::array()}};
    for (size_t i = 0; i < stages_.size(); ++i)
      json["stages"].push_back({{"stage", stages_[i].name},
                                {"records_per_second", stages_[i].records_per_second},
                                {"share", share(i)}});
    for (size_t i = 0; i < batches_.size(); ++i)
      json["batches"].push_back(
          {{"workers", 1 << i}, {"records_per_second", batches_[i].records_per_second}});
    json["slowest"] = stages_[slowest_stage()].name;
    cli::print_json(json);
  }

  const BenchDataArguments& arguments_;
  bool is_images_ = false;
  SourcePtr files_, source_;      // in their order; as they are read
  std::vector<StoragePtr> room_;  // for a record
  std::vector<StageSpeed> stages_, batches_;
};

}  // namespace

int bench_data(Arguments arguments) {
  BenchDataArguments parsed;
  if (!read(arguments, parsed)) return kDone;
  const StopSignals signals;
  Findings findings;
  BenchData bench(parsed, findings);
  bench.run();
  bench.print();
  return kDone;
}

}  // namespace plimsoll::cli
